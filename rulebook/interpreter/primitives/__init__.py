"""What each op does: one small handler each."""
