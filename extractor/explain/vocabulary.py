"""The words that `explain` knows: data only. Rules over them stand in `family.py`, `tags.py` and `origin.py`."""

from __future__ import annotations

FAMILIES: tuple[tuple[str, str], ...] = (
    # (family, regular expression searched in the lower-case template); the first that fits decides.
    (
        "divisibility-constraint",
        r"divisible by|(?:a |an |integer )multiple of|must divide|evenly divid|must be divisible",
    ),
    (
        "missing-dependency",
        r"not installed|pip install|please install|could not import|failed to import|"
        r"is not available[.,;]? *(?:please )?(?:install|build)|"
        r"requires? (?:the )?[\w\-`']+ (?:package|library) |requires? [\w\-`' ]+ to be installed",
    ),
    (
        "remote-code-or-trust",
        r"trust[_-]remote[_-]code|path traversal|untrusted|not an allowed (?:url|path|domain)|"
        r"escapes? (?:the )?(?:root|base|directory)|unsafe|symlink|outside (?:of )?the allowed",
    ),
    (
        "unsupported-hardware",
        r"\bsm_?\d{2,3}\b|compute capability|\b(?:hopper|blackwell|ampere)\b|"
        r"requires? (?:an? )?(?:cuda|rocm|nvidia|amd|npu|ascend|xpu|gpu)\b|"
        r"only (?:supported|available|works|support) (?:on|for) (?:the )?(?:cuda|"
        r"rocm|nvidia|amd|npu|ascend|xpu|gpu|sm|hip|cpu)|"
        r"not supported on (?:the )?(?:cuda|rocm|hip|nvidia|amd|npu|ascend|xpu|gpu|cpu|mps|musa)|"
        r"(?:cuda|driver|toolkit) version",
    ),
    (
        "duplicate-entry",
        r"duplicate|already (?:registered|exists|defined|loaded|present|in use|taken|bound|open|been)|"
        r"more than once|must be unique|registered twice|conflicting registration",
    ),
    (
        "dtype-mismatch",
        r"dtypes? mismatch|(?:unsupported|invalid|expected|unexpected|same) (?:\S+ )?dtype|"
        r"\bdtypes? must|must (?:be|have) (?:\S+ )?(?:dtype|torch\.(?:float|int|bfloat))|"
        r"\bmust be (?:int32|int64|fp32|float32|bf16|bfloat16|fp16|uint8)|dtype",
    ),
    (
        "device-or-layout-mismatch",
        r"contiguous|same device|on (?:the |a )?(?:cuda|cpu|gpu) device|"
        r"must be (?:on )?(?:a )?(?:cuda|cpu|gpu)\b|same cuda device|unit stride|strides?\b|\blayout",
    ),
    (
        "shape-mismatch",
        r"(?:shape|size|length|rank|dimension|dim|count)s? (?:mismatch|does not match|"
        r"do not match|must match|must equal|disagree|differs?)|"
        r"(?:mismatched|invalid|unexpected|expected|incompatible|wrong) (?:\S+ )?(?:shape|rank|length|number of)|"
        r"same (?:shape|length|number|size)|must have shape|must be [0-9]-?d\b|[0-9]d tensor|"
        r"rank[- ][0-9]|\bshape\b|must (?:have|be) (?:rank|\d+ dim)|does not match",
    ),
    (
        "limit-exceeded",
        r"exceed(?:s|ed)?\b.*\b(?:max|limit|capacity|length|budget|available)|"
        r"(?:limit|capacity|budget) (?:is |was )?exceeded|exceeds\b|"
        r"(?:longer|larger|more|greater) than the (?:\S+ )?(?:max|context|limit)|"
        r"too (?:long|large|many)|context length",
    ),
    ("insufficient-resources", r"out of memory|not enough (?:memory|space|disk|gpu)|insufficient|no free|no available"),
    (
        "topology-mismatch",
        r"world[ _]size|(?:number|count) of (?:gpus|devices|ranks|nodes)|\bnnodes\b|all ranks|"
        r"across ranks|process group",
    ),
    (
        "conflicting-options",
        r"mutually exclusive|cannot (?:both )?(?:set|specify|provide|use|pass|be given) both|"
        r"only one of|cannot both|either .* or .*(?:not both)|not both|exactly one of|conflict|"
        r"contradict|at most one",
    ),
    (
        "unsupported-feature-combination",
        r"(?:not compatible|incompatible|not supported|unsupported|not allowed) (?:together )?(?:with|"
        r"when|in|for|under|if)\b|"
        r"cannot be (?:used|combined|enabled|set|specified|mixed) (?:together|with|when|in|if)|"
        r"\bwith\b.*\bdoes not support|does not (?:yet )?support .*\bwith\b|cannot (?:use|combine|enable) .*\bwith\b|"
        r"(?:only|currently) (?:supports?|supported|works?|compatible|valid|allowed) (?:with|"
        r"when|for|if|in)\b|not (?:yet )?support(?:ed)?(?: \S+){0,4} with",
    ),
    (
        "missing-required-option",
        r"(?:must|has to|have to|needs? to|should) be (?:set|specified|provided|given|"
        r"passed|enabled|configured|present|non-?empty)|"
        r"(?:is|are) required|is missing|missing (?:required )?|cannot be (?:none|empty)|"
        r"must not be (?:none|empty)|requires? (?:--|setting|a |an |the |both )|"
        r"must (?:provide|specify|set|pass)|"
        r"not (?:set|specified|provided|given)\b|please (?:set|specify|provide|pass)|\brequires?\b",
    ),
    (
        "invalid-option-value",
        r"must be one of|expected one of|should be one of|choose from|valid (?:options|values|choices)|"
        r"must be (?:either )?['\"`{]|is not (?:a )?valid (?:choice|option|value)|"
        r"invalid (?:value|choice|option|mode)|"
        r"unsupported (?:\S+ )?(?:mode|backend|type|method|format|option|value)",
    ),
    (
        "file-or-path-missing",
        r"(?:file|directory|path|folder|checkpoint|repo)\b.*(?:not found|does not exist|"
        r"not exist|missing)|no such file|"
        r"(?:could not|cannot|failed to|unable to) (?:find|locate|download) .*(?:file|"
        r"path|director|checkpoint|weights|config\.json)|does not exist",
    ),
    (
        "unknown-name",
        r"\bunknown\b|unrecogni[sz]ed|not registered|no such|not found|cannot find|could not find|"
        r"unregistered|is not (?:a )?(?:known|recognized|supported)|not in the (?:list|registry)",
    ),
    (
        "value-out-of-range",
        r"must be (?:in (?:the )?range|between|positive|non-?negative|at (?:least|"
        r"most)|[<>]=?|a positive|an? non-?negative|finite|greater|less|larger|smaller|strictly)|"
        r"must be (?:strictly )?(?:greater|less|larger|smaller)|out of (?:range|bounds)|negative|"
        r"should be (?:positive|greater|at least)|must have at least|at least (?:one|two|\d)|\[0, ?1\]",
    ),
    (
        "unsupported-model",
        r"(?:model|architecture|checkpoint)s? (?:\S+ ){0,4}(?:not supported|does not support|"
        r"unsupported|is not compatible)|unsupported (?:model|architecture)|"
        r"not support(?:ed)? (?:by|for) (?:this )?model|does not support",
    ),
    (
        "corrupt-or-mismatched-file",
        r"corrupt|checksum|manifest|header|(?:unexpected|missing) (?:keys?|tensors?|weights?)|truncated|"
        r"magic|digest|sha-?256|hash mismatch|safetensors",
    ),
    (
        "invalid-model-config",
        r"(?:config|hf_config|quant(?:ization)?_config)\b.*(?:missing|invalid|must|"
        r"should|unsupported|expected)|model config|config\.json",
    ),
    (
        "not-initialized",
        r"not (?:been )?initiali[sz]ed|must be initiali[sz]ed|is not set up|"
        r"before (?:calling|use|using|running)|must be called|has not been|"
        r"not (?:yet )?(?:started|ready|loaded|built|prepared|attached|bound)|was not constructed|"
        r"is not available",
    ),
    (
        "malformed-input",
        r"(?:failed|unable|error|invalid|cannot) (?:to |while |in )?(?:pars|decod|"
        r"load|convert|open|read)|cannot (?:parse|decode|be parsed)|malformed|"
        r"invalid (?:json|base64|format|url|data|image|video|audio|type|input)|"
        r"must be (?:an? )?(?:string|integer|list|dict|object|json|boolean|number|"
        r"mapping|tuple|sequence|array|int|float|str)\b|not (?:a )?valid|"
        r"expected (?:an? )?(?:\S+ )?(?:list|dict|string|tuple|int|object|tensor|bytes|type)|must be a |"
        r"type\(|got type",
    ),
    (
        "unsupported-request-feature",
        r"(?:is|are) not supported|not supported|unsupported|not implemented|does not support|only supports?",
    ),
)

NAME_WORDS = r"unknown|not found|no such|cannot find|could not find|unrecogni|unsupported|no .* found"
"""A message of these, after a search that found nothing, is about a name."""
PAIRED = r"requires?|must (?:also )?(?:be|use|set|equal)|needs?|only (?:supports?|works)"
"""A message of these names the value that another setting asks for."""
SHAPE_WORDS = r"length|shape|size|number|count|dimension|match|elements?|entries|rank"

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

TEST_WORDS = frozenset({"CI", "TEST", "TESTS", "TESTING", "PYTEST"})
"""Words in the name of an environment variable by which a project tells its own test runs apart."""
