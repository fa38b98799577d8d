"""The verdict on a run, and what it rests on."""
