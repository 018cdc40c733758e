"""What an agent can do: its tools, the work directory they are confined to, and the levels of what they return."""
