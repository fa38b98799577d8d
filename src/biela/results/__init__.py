"""What came out: motions with channels by name, reactions, and a verdict on their quality."""
