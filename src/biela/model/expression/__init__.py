"""Formulas written as text: a small language that can compute, and nothing else.

A text is parsed into an immutable tree, which is evaluated with floats or with any other
scalars, differentiated, or written out again.
"""

from .derivative import differentiate as differentiate
from .derivative import substitute as substitute
from .evaluation import evaluate as evaluate
from .evaluation import sympy_tables as sympy_tables
from .functions import ARITY as ARITY
from .functions import CONSTANTS as CONSTANTS
from .functions import FLOAT_FUNCTIONS as FLOAT_FUNCTIONS
from .functions import RESERVED as RESERVED
from .reading import MAX_LENGTH as MAX_LENGTH
from .reading import parse as parse
from .switches import is_gentle as is_gentle
from .switches import switches_by as switches_by
from .switches import switches_of as switches_of
from .tree import Binary as Binary
from .tree import Call as Call
from .tree import ExpressionError as ExpressionError
from .tree import Name as Name
from .tree import Node as Node
from .tree import Number as Number
from .tree import Unary as Unary
from .tree import fold as fold
from .writing import check_names as check_names
from .writing import names as names
from .writing import to_text as to_text
