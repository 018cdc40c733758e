"""What a model is to the runtime (`protocol`), and the offline one that reads its replies from a file (`scripted`)."""
