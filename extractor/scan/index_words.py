"""Names that cannot lead to a site of the scanned repository: builtins, container and tensor methods, foreign packages.

Calls of these are left out of the index. A name here that the repository also defines costs a caller, never a wrong
one.
"""

from __future__ import annotations

import builtins
import sys

FOREIGN_MODULES = frozenset(sys.stdlib_module_names) | {
    "PIL",
    "aiohttp",
    "cuda",
    "cutlass",
    "cv2",
    "diffusers",
    "einops",
    "fastapi",
    "flashinfer",
    "huggingface_hub",
    "httpx",
    "jax",
    "jinja2",
    "matplotlib",
    "msgspec",
    "numba",
    "numpy",
    "orjson",
    "pandas",
    "prometheus_client",
    "psutil",
    "pydantic",
    "pytest",
    "ray",
    "requests",
    "safetensors",
    "scipy",
    "starlette",
    "tilelang",
    "torch",
    "torchaudio",
    "torchvision",
    "tqdm",
    "transformers",
    "triton",
    "typing_extensions",
    "uvicorn",
    "yaml",
    "zmq",
}

BUILTIN_NAMES = frozenset(dir(builtins)) | {"field", "cast", "partial", "NamedTuple", "TypeVar"}

COMMON_METHODS = frozenset(
    """
    all any append arange argmax argsort assertEqual assertFalse assertIn assertIsNone assertIsNotNone
    assertIsInstance assertRaises assertRaisesRegex assertTrue assertGreater assertLess assertAlmostEqual
    assertNotEqual astype backward bfloat16 bool cat chunk clamp clear clone close contiguous copy copy_ count
    cpu cuda cumsum debug decode detach dim dtype element_size empty empty_like encode endswith equal error
    exception exists exp expand extend fill_ find flatten float format from_numpy full full_like gather get
    getLogger group half index index_select info insert int int_ is_contiguous is_dir is_file isdigit item
    items join json keys log lower lstrip masked_fill match max mean min mkdir mul mul_ narrow ndimension
    new_empty new_zeros normal_ numel numpy ones ones_like permute pop popleft pow program_id put rand randint
    randn read read_text record_stream release remove repeat repeat_interleave replace reshape resolve rstrip
    scatter_ search setdefault shape sigmoid size softmax sort split splitlines sqrt squeeze stack start
    startswith stop stride strip sub sum synchronize t tensor time title to tobytes tolist transpose type
    unbind unsqueeze update upper values view wait warning warning_once where write write_text zero_ zeros
    zeros_like acquire add load store cdiv num_programs __init__ __new__ __setattr__ add_argument setLevel
    perf_counter is_set
    """.split()  # noqa: SIM905  # a list of two hundred quoted names is no easier to read
)

ENVIRONMENT_ARGUMENT = (
    rb"[(\[]\s*(?:key=)?(?:[\"']([A-Z][A-Z0-9_]{2,})[\"']|([A-Z][A-Z0-9_]{4,}))\s*(?:,\s*([^\n]{1,80})|[)\]])"
)
"""An upper-case name.

Quoted or a constant, as first argument or subscript; the text before it tells whether it is the environment.
"""

ENVIRONMENT_MEMBER = rb"[\"']([A-Z][A-Z0-9_]{2,})[\"']\s+(?:not\s+)?in\s+(os\.environ|environ)\b"
"""A test whether a variable is set at all."""

VIEW_WORDS = ("view", "resolv")
"""Parts of the names of functions that give a view of settings."""

ENVIRONMENT_READER = rb"((?:\w+\.)*(?:getenv|environ(?:\.get|\.pop|\.setdefault)?|\w*env\w*))\Z"
"""What stands before it then."""
