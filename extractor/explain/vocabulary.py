"""The words that `explain` knows: data only. Rules over them stand in `family.py`, `tags.py` and `origin.py`."""

from __future__ import annotations

FAMILIES: tuple[tuple[str, str], ...] = (
    # (family, regular expression searched in the lower-case template); the first that fits decides.
    ("divisibility-constraint", r"divisible by|(?:a |integer )multiple of|must divide"),
    ("missing-dependency", r"not installed|pip install|please install|could not import|failed to import"),
    ("remote-code-or-trust", r"trust[_-]remote[_-]code|path traversal|untrusted|not an allowed (?:url|path|domain)"),
    ("duplicate-entry", r"duplicate|already (?:registered|exists|defined|loaded)"),
    (
        "dtype-mismatch",
        r"dtypes? mismatch|(?:unsupported|invalid|expected|unexpected|same) (?:\S+ )?dtype|\bdtype must be",
    ),
    (
        "shape-mismatch",
        r"(?:shape|size|length|rank)s? mismatch|"
        r"(?:mismatched|invalid|unexpected|expected) shape|"
        r"same (?:shape|length)",
    ),
    (
        "device-or-layout-mismatch",
        r"must be contiguous|same device|on (?:the )?(?:cuda|cpu|gpu) device|must be on (?:cuda|cpu|gpu)",
    ),
    (
        "limit-exceeded",
        r"exceed(?:s|ed)?\b.*\b(?:max|limit|capacity|length)|"
        r"(?:longer|larger) than the (?:model's )?(?:max|context)",
    ),
    (
        "value-out-of-range",
        r"must be (?:in (?:the )?range|between|positive|non-?negative|at (?:least|most)|[<>]=?)|"
        r"must be (?:strictly )?(?:greater|less|larger|smaller)|"
        r"out of range",
    ),
    ("conflicting-options", r"mutually exclusive|cannot (?:both )?(?:set|specify|provide) both|only one of"),
    (
        "unsupported-feature-combination",
        r"(?:not compatible|incompatible|not supported) (?:together )?(?:with|when)|"
        r"cannot be (?:used|combined|enabled) (?:together )?(?:with|when)|"
        r"\bwith\b.*\bdoes not support|"
        r"does not support .*\bwith\b",
    ),
    (
        "missing-required-option",
        r"(?:must be|has to be) (?:set|specified|provided) (?:when|if|for|with)|"
        r"is required (?:when|if|for|with)",
    ),
    (
        "invalid-option-value",
        r"must be one of|expected one of|should be one of|choose from|valid (?:options|values|choices)",
    ),
    ("unknown-name", r"\bunknown\b|unrecognized|not registered|no such"),
    (
        "file-or-path-missing",
        r"(?:file|directory|path|folder|checkpoint)\b.*(?:not found|does not exist|not exist)|no such file",
    ),
    ("not-initialized", r"not (?:been )?initiali[sz]ed|must be initiali[sz]ed|is not set up"),
    (
        "malformed-input",
        r"(?:failed|unable|cannot) to (?:parse|decode)|"
        r"cannot (?:parse|decode)|"
        r"malformed|"
        r"invalid (?:json|base64|format|url)",
    ),
)

FEATURES: dict[str, tuple[str, ...]] = {
    # tag: the words of a path or message (lower case, split at everything but letters and digits) that name it.
    "attention": ("attention", "attn"),
    "chunked-prefill": ("chunked",),
    "constrained-decoding": ("grammar", "xgrammar", "outlines", "llguidance"),
    "context-parallel": ("cp",),
    "cuda-graph": ("cudagraph", "graphs"),
    "deepep": ("deepep",),
    "diffusion": ("diffusion", "diffusers", "dit"),
    "disaggregation": ("disaggregation", "disagg"),
    "dp-attention": ("dpattention",),
    "dspark": ("dspark",),
    "embedding": ("embedding", "embeddings"),
    "eplb": ("eplb",),
    "expert-parallel": ("ep",),
    "flashinfer": ("flashinfer",),
    "function-calling": ("toolcall", "tools"),
    "hicache": ("hicache", "hierarchical"),
    "kv-cache": ("kv", "kvcache"),
    "lora": ("lora", "loras"),
    "mamba": ("mamba", "mamba2"),
    "moe": ("moe", "experts"),
    "multimodal": ("multimodal", "vlm", "mm"),
    "openai-api": ("openai",),
    "piecewise-cuda-graph": ("piecewise",),
    "pipeline-parallel": ("pp",),
    "quantization": ("quantization", "quant", "fp8", "fp4", "nvfp4", "mxfp4", "awq", "gptq", "gguf", "w8a8"),
    "radix-cache": ("radix",),
    "sampling": ("sampling", "sampler", "logprobs"),
    "speculative-decoding": ("speculative", "eagle", "eagle3", "dspark"),
    "tensor-parallel": ("tp",),
    "tokenizer": ("tokenizer", "detokenizer"),
    "triton": ("triton",),
    "video-generation": ("video",),
    "weight-loading": ("loader", "checkpoint", "weights"),
}

PHRASES: tuple[tuple[str, str], ...] = (
    # (words of path or message in this order, tag)
    ("dp attention", "dp-attention"),
    ("context parallel", "context-parallel"),
    ("cuda graph", "cuda-graph"),
    ("tool call", "function-calling"),
    ("function call", "function-calling"),
    ("constrained decoding", "constrained-decoding"),
    ("model loader", "weight-loading"),
)

PLACES = frozenset(
    {"", "src", "lib", "python", "srt", "core", "utils", "util", "common", "base", "test", "tests", "init", "main"}
)
"""Path parts that say nothing about the subject."""

INPUT_ROOTS = frozenset(
    {"args", "argv", "cfg", "config", "environ", "envs", "hf_config", "kwargs", "model_config", "obj", "options",
     "params", "payload", "quant_config", "recv_req", "req", "request", "sampling_params", "server_args"}
)  # fmt: skip
"""Names under which code keeps what the caller, the environment or a file supplied."""
INPUT_CALLS = ("getenv", "environ", "get_bool_env_var", "get_int_env_var")
"""Names of reads from the environment."""
