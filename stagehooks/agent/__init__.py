"""The agent file: what it says (`blueprint`), how it is read (`reader`), what it needs before a run (`spawn`)."""
