"""What the parser needs where a text is wrong, written by grammar/build.py from rhai.lark: do not edit."""

# fmt: off
from rhaipy.typings import Final

SYMBOLS: Final = (
('', '', 'items', 'program', 'sign', '#{', '(', '()', 'word', 'CHAR', 'FLOAT', 'ID', 'INT', 'ONLY', 'STRING', 'TEXT_HEAD',
'ZERO', '[', 'do', 'false', 'for', 'if', 'loop', 'switch', 'this', 'true', 'while', '{', '|', '||', 'primary', 'block',
'block_statement', 'blocky', 'brace', 'closure_head', 'do_body', 'do_head', 'do_loop', 'loop_statement', 'expr', 'expression',
'for_first', 'for_head', 'for_names', 'for_pair', 'if_chain', 'if_statement', 'loop_head', 'only_head', 'run', 'parens', 'path',
'pieces', 'switch_block', 'switch_head', 'switch_statement', 'while_head', ';', 'break', 'const', 'continue', 'export', 'fn',
'import', 'let', 'private', 'return', 'throw', 'try', 'closed', 'open', 'export_word', 'fn_word', 'function', 'head',
'jump_word', 'let', 'let_name', 'run', 'signature', 'try_head', 'operand', 'signed', 'ID', 'STRING', '}', 'map_colon',
'map_entry', 'map_key', 'map_list', 'expr', '!', '(', '()', 'args', '::', 'expr', 'only', 'block', 'text_block', ']',
'array_item', 'array_list', 'expr', '(', 'ID', 'condition', 'no_brace', 'expr', 'condition', 'ID', '|', 'closure_list', 'period',
'bracket', 'tails', 'index', 'tails', 'items', ';', 'NOTHING', 'closed', 'closure_body', 'open', 'function', 'until', 'while',
'block', 'body', 'END', ',', 'body', 'in', ')', 'body', 'only_arms', 'operator', '??', 'RANGE_END', '!', '::', 'args', '::',
'args', 'TEXT_MIDDLE', 'TEXT_TAIL', 'arms', 'body', 'ID', 'expr', 'ID', 'fn', ';', 'ID', 'exported_let', 'let', 'ID', 'STRING',
'assign', 'expr', '=', 'operator', '??', 'RANGE_END', 'block', 'function_block', 'body', 'expr', 'map_value', ':', ',', '}', ')',
'args', ')', 'arg_list', 'argument', 'expr', 'ID', 'assign', '}', ',', ']', 'ID', 'body', 'expr', 'ONLY', '{', ',', '|', 'name',
'link', 'expr', 'index_key', 'dot', '}', 'open', 'END', 'condition', 'condition', 'ID', 'no_brace', '_', '}', 'arm_head', 'case',
'case_start', 'cases', 'default', 'only_arm', 'operand', 'jump', 'operand', 'args', 'ID', 'ID', 'text_block', '}', 'arm_head',
'closed_arm', 'open_arm', 'as', 'as', '(', '()', '.', 'params', '.', 'expr', 'expr', 'let_value', 'operand', 'jump', 'operand',
'catch', 'catch_name', '}', 'map_entry', ')', ',', 'expr', ']', 'array_item', 'else', 'ID', '|', '!', 'args', 'tails', ']', '}',
'expr', 'expr', 'expr', '=>', 'CASE_PIPE', 'if', 'guard', '=>', ',', '}', 'END', ';', 'NOTHING', 'closed', 'open', 'function',
',', ',', '}', 'ID', 'ID', ')', 'ID', 'param_list', 'ID', 'ID', 'END', '(', 'body', 'body', ')', 'argument', 'body', 'else_if',
'if_chain', 'args', 'tails', 'index', 'case', 'condition', '=>', ')', ',', 'params', 'params', 'ID', 'tails', ')', 'ID', ')')
)
"""For each state: the symbol on top of the stack."""

DEFAULTS: Final = (
(108, -1, -1, -1, -1, -1, -1, 205, -1, 206, 207, 208, 209, -1, 210, -1, 211, -1, 71, 214, -1, 147, 131, -1, 260, 223, 147, 42,
-1, 65, 247, 35, 36, 164, 108, -1, -1, -1, -1, 39, -1, -1, -1, -1, -1, -1, 101, 38, -1, 151, 82, 217, 220, -1, 255, 10, 40, -1,
109, 116, -1, 113, 80, 86, -1, -1, -1, 117, 118, 263, 110, -1, -1, -1, 111, 84, 114, 123, 119, 97, -1, -1, 246, 249, 140, 141,
137, -1, 142, -1, -1, -1, -1, -1, 5, 225, -1, 148, -1, 259, 203, 14, 18, -1, 17, -1, 91, -1, -1, -1, 264, 66, 64, -1, -1, -1,
248, 257, 165, -1, 57, 58, 59, 56, -1, 60, 147, 147, 41, 70, 37, -1, 90, 147, 92, 76, 46, -1, -1, 231, -1, -1, 219, -1, 221, -1,
107, 46, 265, 121, 102, 122, 87, 112, 77, 79, 81, -1, -1, -1, 115, -1, -1, -1, 235, 95, 94, -1, 144, 139, 138, -1, 136, 197, 224,
2, -1, 1, 6, 198, -1, 32, -1, 16, 88, 98, 68, 153, 254, -1, 63, 125, 74, 106, -1, 258, 34, -1, 61, 72, 73, 93, -1, 69, 251, -1,
47, -1, -1, -1, -1, 232, -1, 230, 218, 199, 200, 204, 253, -1, 11, -1, -1, -1, -1, 196, -1, 244, -1, 85, 124, 120, 236, -1, 234,
-1, -1, 135, 143, 3, -1, 149, 15, 19, -1, 67, 62, -1, 128, 130, 104, 33, 89, 150, 45, 7, 46, 147, -1, 9, 152, 250, 229, 160, 161,
55, 163, 162, 12, 13, 252, 103, 78, 193, 191, -1, -1, -1, 233, -1, 261, 262, 4, 0, 99, 100, 75, 126, 129, 105, 48, 96, 8, 194,
-1, 243, 245, -1, 127, 195, 192, 49)
)
"""For each state: the rule to reduce by where no token fits, or -1."""

OPERANDS: Final = (
(1, 4, 6, 13, 17, 23, 64, 76, 87, 93, 108, 115, 137, 138, 159, 161, 162, 163, 180, 182, 202, 205, 207, 240)
)
"""The states in which a block may be an operand."""

PRIMARIES: Final = (
(1, 2, 4, 6, 13, 17, 23, 35, 64, 76, 87, 93, 108, 115, 119, 137, 138, 159, 161, 162, 163, 180, 182, 202, 205, 207, 219, 240)
)
"""The states in which an operand may begin."""

MESSAGES: Final[tuple[tuple[tuple[str, str], ...], ...]] = (
((), (('', 'operand'),), (('', 'key'),), (('', 'impossible'),), (('lex', "Expecting '{' to start a statement block"),), (('$eof',
"Expecting ']' to end this array literal"), ('', 'operand')), (('', 'name'),), (('parameter',
"Expecting '|' to close the parameters list of anonymous function or closure"),), (('',
"Expecting 'while' for the do statement"),), (('', 'unexpected'),), (('', "Expecting ',' after the iteration variable name"),),
(('lex', "Expecting 'in' after the iteration variable"),), (('', "Expecting ')' to close the iteration variable"),), (('lex',
'impossible'),), (('', "Expecting 'fn' following 'private'"),), (('lex', "Expecting ';' to terminate this statement"),), (('',
'function_name'),), (('', 'missing_body'),), (('lex',
"Expecting ':' to follow the property '{key}' in this object map literal"),), (('id',
"Expecting ',' to separate the items of this object map literal"), ('lex', "Expecting '}' to end this object map literal")),
(('lex', "Expecting ')' for a matching ( in this expression"),), (('',
"Expecting '(' to start arguments list of function call"),), (('$eof',
"Expecting ')' to close the arguments list of this function call '{callee}'"), ('lex', 'operand')), (('$eof',
"Expecting ']' to end this array literal"), ('lex', "Expecting ',' to separate the items of this array literal")), (('lex',
"Expecting '{' to start a switch block"),), (('lex', "Expecting ',' to separate the parameters of anonymous function"),), (('',
'property'),), (('$eof', "Expecting '}' to terminate this block"), ('', 'operand')), (('', 'missing_params'),), (('',
"Expecting '.' after the type name for 'this'"),), (('', "Expecting 'catch' for the 'try' statement"),), (('$eof',
"Expecting ')' to close the arguments list of this function call '{callee}'"), ('lex',
"Expecting ',' to separate the arguments to function call '{callee}'")), (('lex',
"Expecting ']' for a matching [ in this index expression"),), (('lex', "Expecting '=>' in this switch case"),), (('$eof',
"Expecting ')' to end this switch block"), ('lex', "Expecting ',' to separate the items in this switch block")), (('parameter',
"Expecting ')' to close the parameters list of function '{fn}'"),), (('lex',
"Expecting ',' to separate the parameters of function '{fn}'"),), (('', "Expecting ')' to enclose the catch variable"),), (('',
'unknown_operator'),), (('', 'qualified_bang'),), (('', "Expecting '}' to end this switch block"),), (('', 'namespace'),),
(('$eof', "Expecting ')' to end this switch block"), ('lex', 'impossible')))
)
"""The cases of each message."""

TEXTS: Final = (
(0, 1, 1, 0, 1, 2, 1, 0, 3, 0, 0, 0, 0, 1, 0, 4, 0, 5, 0, 0, 6, 0, 0, 1, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 1, 8, 4, 0, 0, 9, 0,
10, 4, 11, 12, 0, 0, 4, 0, 0, 0, 0, 13, 0, 0, 0, 4, 0, 0, 6, 0, 0, 0, 1, 6, 14, 0, 0, 0, 0, 15, 6, 16, 0, 0, 0, 0, 0, 0, 17, 4,
0, 0, 0, 0, 0, 1, 0, 18, 19, 20, 21, 22, 0, 0, 6, 0, 4, 0, 0, 0, 0, 23, 0, 6, 0, 4, 1, 24, 0, 0, 0, 25, 26, 1, 0, 0, 0, 27, 0, 0,
0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 1, 1, 0, 21, 6, 0, 6, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 28, 29, 1, 0, 1, 1, 1,
0, 0, 0, 30, 0, 0, 0, 2, 0, 0, 0, 0, 31, 0, 0, 0, 1, 0, 5, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 32, 0, 0, 15, 0, 0, 0, 0, 1, 0, 0, 1,
0, 1, 33, 33, 34, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 34, 6, 6, 35, 0, 16, 0, 16, 0, 0, 0, 0, 0, 0, 4, 4, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0,
21, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 33, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 36, 28, 28, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0,
0, 0, 0, 0, 0, 0, 35, 0, 0, 37, 0, 0, 0, 0)
)
"""For each state: the number of its message."""

URGENT: Final[dict[int, dict[str, int]]] = (
{50: {'RESERVED_SYMBOL': 38}, 52: {'!': 39}, 76: {'ERROR': 1, 'RESERVED_SYMBOL': 1, 'RESERVED_WORD': 1},
79: {'RESERVED_SYMBOL': 38}, 136: {'EOF': 40}, 147: {'EOF': 40}, 191: {'::': 41}, 220: {'EOF': 42, 'ERROR': 42}}
)
"""For some states: kinds of tokens with a message that comes before any reduction."""

_DEPTHS: Final[tuple[dict[str, tuple[str, ...]], ...]] = (
({'!': ('tok',), '#{': ('tok', 'tok'), '(': ('tok', 'tok!'), '()': ('tok',), '+': ('tok',), '-': ('tok',), 'CALLABLE': ('tok',),
'CHAR': ('tok',), 'FLOAT': ('tok',), 'ID': ('tok',), 'INT': ('tok',), 'METHOD': ('tok',), 'ONLY': ('tok', 'tok', 'tok!'),
'STRING': ('tok',), 'TEXT_HEAD': ('tok', 'tok'), 'UNARY_MINUS': ('tok',), 'UNARY_PLUS': ('tok',), 'ZERO': ('tok',), '[': ('tok',
'tok'), 'do': ('tok', 'tok', 'tok!'), 'false': ('tok',), 'for': ('tok', 'tok', 'tok!'), 'if': ('tok', 'tok', 'tok!'),
'loop': ('tok', 'tok', 'tok'), 'primary': ('tok',), 'switch': ('tok', 'tok', 'tok!'), 'this': ('tok',), 'true': ('tok',),
'while': ('tok', 'tok', 'tok'), '{': ('tok', 'tok', 'tok!'), '|': ('tok',), '||': ('tok',)}, {'!': ('tok', 'tok'), '#{': ('tok',
'tok', 'tok'), '(': ('tok', 'tok', 'tok!'), '()': ('tok', 'tok'), '+': ('tok', 'tok'), '-': ('tok', 'tok'), 'CALLABLE': ('tok',
'tok'), 'CHAR': ('tok', 'tok'), 'FLOAT': ('tok', 'tok'), 'ID': ('tok', 'tok'), 'INT': ('tok', 'tok'), 'METHOD': ('tok', 'tok'),
'ONLY': ('tok', 'tok!'), 'STRING': ('tok', 'tok'), 'TEXT_HEAD': ('tok', 'tok', 'tok'), 'UNARY_MINUS': ('tok', 'tok'),
'UNARY_PLUS': ('tok', 'tok'), 'ZERO': ('tok', 'tok'), '[': ('tok', 'tok', 'tok'), 'const': ('tok',), 'do': ('tok', 'tok!'),
'false': ('tok', 'tok'), 'for': ('tok', 'tok!'), 'if': ('tok', 'tok!'), 'import': ('tok', 'tok!'), 'let': ('tok',),
'loop': ('tok', 'tok'), 'primary': ('tok', 'tok'), 'switch': ('tok', 'tok!'), 'this': ('tok', 'tok'), 'true': ('tok', 'tok'),
'try': ('tok', 'tok!'), 'while': ('tok', 'tok'), '{': ('tok', 'tok!'), '|': ('tok', 'tok'), '||': ('tok', 'tok')},
{'!': ('sign',), '#{': ('sign', 'tok'), '(': ('sign', 'tok!'), '()': ('sign',), '+': ('sign',), '-': ('sign',),
'CALLABLE': ('sign',), 'CHAR': ('sign',), 'FLOAT': ('sign',), 'ID': ('sign',), 'INT': ('sign',), 'METHOD': ('sign',),
'ONLY': ('sign', 'tok', 'tok!'), 'STRING': ('sign',), 'TEXT_HEAD': ('sign', 'tok'), 'UNARY_MINUS': ('sign',),
'UNARY_PLUS': ('sign',), 'ZERO': ('sign',), '[': ('sign', 'tok'), 'do': ('sign', 'tok', 'tok!'), 'false': ('sign',),
'for': ('sign', 'tok', 'tok!'), 'if': ('sign', 'tok', 'tok!'), 'loop': ('sign', 'tok', 'tok'), 'primary': ('sign',),
'switch': ('sign', 'tok', 'tok!'), 'this': ('sign',), 'true': ('sign',), 'while': ('sign', 'tok', 'tok'), '{': ('sign', 'tok',
'tok!'), '|': ('sign',), '||': ('sign',)}, {'ONLY': ('TEXT_HEAD pieces',), '{': ('TEXT_HEAD pieces',)}, {'!': ('[', 'tok'),
'#{': ('[', 'tok', 'tok'), '(': ('[', 'tok', 'tok!'), '()': ('[', 'tok'), '+': ('[', 'tok'), '-': ('[', 'tok'), 'CALLABLE': ('[',
'tok'), 'CHAR': ('[', 'tok'), 'FLOAT': ('[', 'tok'), 'ID': ('[', 'tok'), 'INT': ('[', 'tok'), 'METHOD': ('[', 'tok'),
'ONLY': ('[', 'tok', 'tok', 'tok!'), 'STRING': ('[', 'tok'), 'TEXT_HEAD': ('[', 'tok', 'tok'), 'UNARY_MINUS': ('[', 'tok'),
'UNARY_PLUS': ('[', 'tok'), 'ZERO': ('[', 'tok'), '[': ('[', 'tok', 'tok'), 'do': ('[', 'tok', 'tok', 'tok!'), 'false': ('[',
'tok'), 'for': ('[', 'tok', 'tok', 'tok!'), 'if': ('[', 'tok', 'tok', 'tok!'), 'loop': ('[', 'tok', 'tok', 'tok'),
'primary': ('[', 'tok'), 'switch': ('[', 'tok', 'tok', 'tok!'), 'this': ('[', 'tok'), 'true': ('[', 'tok'), 'while': ('[', 'tok',
'tok', 'tok'), '{': ('[', 'tok', 'tok', 'tok!'), '|': ('[', 'tok'), '||': ('[', 'tok')}, {'?[': ('tok!',), '[': ('tok!',)},
{'ONLY': ('if while_head loop_head do_head for_head try_head',), '{': ('if while_head loop_head do_head for_head try_head',)},
{'const': ('export_word',), 'let': ('export_word',)}, {'ONLY': ('signature',), '{': ('signature',)}, {'!': ('#{', 'tok'),
'#{': ('#{', 'tok', 'tok'), '(': ('#{', 'tok', 'tok!'), '()': ('#{', 'tok'), '+': ('#{', 'tok'), '-': ('#{', 'tok'),
'CALLABLE': ('#{', 'tok'), 'CHAR': ('#{', 'tok'), 'FLOAT': ('#{', 'tok'), 'ID': ('#{', 'tok'), 'INT': ('#{', 'tok'),
'METHOD': ('#{', 'tok'), 'ONLY': ('#{', 'tok', 'tok', 'tok!'), 'STRING': ('#{', 'tok'), 'TEXT_HEAD': ('#{', 'tok', 'tok'),
'UNARY_MINUS': ('#{', 'tok'), 'UNARY_PLUS': ('#{', 'tok'), 'ZERO': ('#{', 'tok'), '[': ('#{', 'tok', 'tok'), 'do': ('#{', 'tok',
'tok', 'tok!'), 'false': ('#{', 'tok'), 'for': ('#{', 'tok', 'tok', 'tok!'), 'if': ('#{', 'tok', 'tok', 'tok!'), 'loop': ('#{',
'tok', 'tok', 'tok'), 'primary': ('#{', 'tok'), 'switch': ('#{', 'tok', 'tok', 'tok!'), 'this': ('#{', 'tok'), 'true': ('#{',
'tok'), 'while': ('#{', 'tok', 'tok', 'tok'), '{': ('#{', 'tok', 'tok', 'tok!'), '|': ('#{', 'tok'), '||': ('#{', 'tok')},
{'!': ('word path parens name', 'tok'), '#{': ('word path parens name', 'tok', 'tok'), '(': ('word path parens name', 'tok',
'tok!'), '()': ('word path parens name', 'tok'), '+': ('word path parens name', 'tok'), '-': ('word path parens name', 'tok'),
'CALLABLE': ('word path parens name', 'tok'), 'CHAR': ('word path parens name', 'tok'), 'FLOAT': ('word path parens name',
'tok'), 'ID': ('word path parens name', 'tok'), 'INT': ('word path parens name', 'tok'), 'METHOD': ('word path parens name',
'tok'), 'ONLY': ('word path parens name', 'tok', 'tok', 'tok!'), 'STRING': ('word path parens name', 'tok'),
'TEXT_HEAD': ('word path parens name', 'tok', 'tok'), 'UNARY_MINUS': ('word path parens name', 'tok'),
'UNARY_PLUS': ('word path parens name', 'tok'), 'ZERO': ('word path parens name', 'tok'), '[': ('word path parens name', 'tok',
'tok'), 'do': ('word path parens name', 'tok', 'tok', 'tok!'), 'false': ('word path parens name', 'tok'),
'for': ('word path parens name', 'tok', 'tok', 'tok!'), 'if': ('word path parens name', 'tok', 'tok', 'tok!'),
'loop': ('word path parens name', 'tok', 'tok', 'tok'), 'primary': ('word path parens name', 'tok'),
'switch': ('word path parens name', 'tok', 'tok', 'tok!'), 'this': ('word path parens name', 'tok'),
'true': ('word path parens name', 'tok'), 'while': ('word path parens name', 'tok', 'tok', 'tok'), '{': ('word path parens name',
'tok', 'tok', 'tok!'), '|': ('word path parens name', 'tok'), '||': ('word path parens name', 'tok')}, {'ID': ('period',),
'METHOD': ('period',)}, {'!': ('bracket', 'tok'), '#{': ('bracket', 'tok', 'tok'), '(': ('bracket', 'tok', 'tok!'),
'()': ('bracket', 'tok'), '+': ('bracket', 'tok'), '-': ('bracket', 'tok'), 'CALLABLE': ('bracket', 'tok'), 'CHAR': ('bracket',
'tok'), 'FLOAT': ('bracket', 'tok'), 'ID': ('bracket', 'tok'), 'INT': ('bracket', 'tok'), 'METHOD': ('bracket', 'tok'),
'ONLY': ('bracket', 'tok', 'tok', 'tok!'), 'STRING': ('bracket', 'tok'), 'TEXT_HEAD': ('bracket', 'tok', 'tok'),
'UNARY_MINUS': ('bracket', 'tok'), 'UNARY_PLUS': ('bracket', 'tok'), 'ZERO': ('bracket', 'tok'), '[': ('bracket', 'tok', 'tok'),
'do': ('bracket', 'tok', 'tok', 'tok!'), 'false': ('bracket', 'tok'), 'for': ('bracket', 'tok', 'tok', 'tok!'), 'if': ('bracket',
'tok', 'tok', 'tok!'), 'loop': ('bracket', 'tok', 'tok', 'tok'), 'primary': ('bracket', 'tok'), 'switch': ('bracket', 'tok',
'tok', 'tok!'), 'this': ('bracket', 'tok'), 'true': ('bracket', 'tok'), 'while': ('bracket', 'tok', 'tok', 'tok'),
'{': ('bracket', 'tok', 'tok', 'tok!'), '|': ('bracket', 'tok'), '||': ('bracket', 'tok')}, {'#{': ('tok',), '(': ('tok!',),
'ONLY': ('tok', 'tok!'), 'TEXT_HEAD': ('tok',), '[': ('tok',), 'do': ('tok', 'tok!'), 'for': ('tok', 'tok!'), 'if': ('tok',
'tok!'), 'loop': ('tok', 'tok'), 'switch': ('tok', 'tok!'), 'while': ('tok', 'tok'), '{': ('tok', 'tok!')}, {'!': ('let_name',
'tok'), '#{': ('let_name', 'tok', 'tok'), '(': ('let_name', 'tok', 'tok!'), '()': ('let_name', 'tok'), '+': ('let_name', 'tok'),
'-': ('let_name', 'tok'), 'CALLABLE': ('let_name', 'tok'), 'CHAR': ('let_name', 'tok'), 'FLOAT': ('let_name', 'tok'),
'ID': ('let_name', 'tok'), 'INT': ('let_name', 'tok'), 'METHOD': ('let_name', 'tok'), 'ONLY': ('let_name', 'tok', 'tok', 'tok!'),
'STRING': ('let_name', 'tok'), 'TEXT_HEAD': ('let_name', 'tok', 'tok'), 'UNARY_MINUS': ('let_name', 'tok'),
'UNARY_PLUS': ('let_name', 'tok'), 'ZERO': ('let_name', 'tok'), '[': ('let_name', 'tok', 'tok'), 'do': ('let_name', 'tok', 'tok',
'tok!'), 'false': ('let_name', 'tok'), 'for': ('let_name', 'tok', 'tok', 'tok!'), 'if': ('let_name', 'tok', 'tok', 'tok!'),
'loop': ('let_name', 'tok', 'tok', 'tok'), 'primary': ('let_name', 'tok'), 'switch': ('let_name', 'tok', 'tok', 'tok!'),
'this': ('let_name', 'tok'), 'true': ('let_name', 'tok'), 'while': ('let_name', 'tok', 'tok', 'tok'), '{': ('let_name', 'tok',
'tok', 'tok!'), '|': ('let_name', 'tok'), '||': ('let_name', 'tok')},
{'ONLY': ('if while_head loop_head do_head for_head try_head',), 'if': ('if',),
'{': ('if while_head loop_head do_head for_head try_head',)})
)

_DEPTH_OF: Final = (
{1: 0, 2: 1, 4: 2, 6: 0, 13: 0, 15: 3, 17: 4, 23: 0, 30: 5, 33: 5, 35: 1, 37: 6, 43: 6, 48: 6, 57: 6, 64: 0, 72: 7, 76: 0, 80: 8,
81: 6, 87: 9, 93: 10, 107: 6, 108: 0, 114: 11, 115: 12, 119: 1, 137: 13, 138: 13, 145: 3, 159: 0, 161: 14, 162: 13, 163: 13,
180: 0, 182: 4, 191: 5, 202: 0, 205: 0, 207: 0, 219: 1, 235: 6, 236: 6, 240: 10, 244: 15, 248: 5, 250: 5, 287: 5}
)

DEPTHS: Final = {state: _DEPTHS[place] for state, place in _DEPTH_OF.items()}
"""For states: where the levels are entered on the way to a kind of token, or to an operand ("primary")."""
