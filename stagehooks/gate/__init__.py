"""What stands between a tool call and the tool: is it offered, are its arguments right, taint, policy, approval."""
