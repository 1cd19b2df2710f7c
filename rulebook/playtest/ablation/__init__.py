"""What says nothing, found by playing: each game again with something left out."""
