"""From text to tree: lexer, tables, parser, build, nodes."""
