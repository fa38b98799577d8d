"""What joints and forces do to bodies: reactions and free bodies."""
