"""Vocabularies of the link stage: names that settings, views, platforms and entries go by. Data only, in one place."""

from __future__ import annotations

SETTINGS_RECEIVERS = frozenset(
    {"server_args", "args", "cfg", "view", "resolved", "raw_args", "opts", "options", "cli_args"}
)
"""Names under which parsed settings are handed on.

Trusted only for fields that are options and with no other meaning.
"""

SURE_RECEIVERS = frozenset({"server_args", "cli_args", "raw_args"})
"""Of these, the ones that mean nothing else."""

ANY_ANNOTATIONS = ("", "Any", "object", "argparse.Namespace", "Namespace")
"""Annotations that tell nothing about a parameter."""

CONTAINERS = frozenset({"set", "list", "dict", "defaultdict", "OrderedDict", "Counter", "deque"})
"""Constructors that give an empty container when they are called without arguments."""

TENSOR_PROPERTIES = {
    "shape": "shape",
    "ndim": "number of dimensions",
    "dtype": "dtype",
    "device": "device",
    "dim()": "number of dimensions",
    "is_cuda": "device",
    "layout": "layout",
    "is_contiguous()": "memory layout",
    "numel()": "number of elements",
    "stride()": "strides",
    "size()": "shape",
    "device.type": "device type",
}

PLATFORM_WORDS = {
    "cuda": "NVIDIA CUDA",
    "hip": "AMD ROCm",
    "rocm": "AMD ROCm",
    "npu": "Ascend NPU",
    "xpu": "Intel XPU",
    "cpu": "CPU",
    "musa": "MUSA",
    "mps": "Apple MPS",
    "hpu": "Intel HPU",
    "blackwell": "a Blackwell GPU",
    "hopper": "a Hopper GPU",
    "ampere": "an Ampere GPU",
    "sm90": "compute capability 9.0 (SM90)",
    "sm100": "compute capability 10.0 (SM100)",
    "sm120": "compute capability 12.0 (SM120)",
    "sm80": "compute capability 8.0 (SM80)",
    "sm89": "compute capability 8.9 (SM89)",
    "sm103": "compute capability 10.3 (SM103)",
    "sm110": "compute capability 11.0 (SM110)",
    "gfx95": "AMD gfx95",
    "gfx942": "AMD gfx942",
    "amx": "AMX instructions of the CPU",
}
"""Parts of a predicate's name that name hardware.

What a predicate computes is not in its name, so this is only a reading aid.
"""

CAPABILITY_CALLS = frozenset(
    {"get_device_capability", "get_device_sm", "get_device_cc", "device_capability", "sm_version", "get_capability"}
)

ROUTE_METHODS = ("get", "post", "put", "delete", "patch", "api_route", "websocket", "route")

REQUEST_BASES = frozenset({"BaseModel"})
"""Classes whose descendants are read from a client's JSON."""

REQUEST_NAMES = ("Request", "ReqInput", "SamplingParams", "RequestParams")
"""Endings of class names whose instances carry what a client sent."""

LOADING_FUNCTIONS = frozenset(
    {
        "load_weights",
        "load_model",
        "weight_loader",
        "process_weights_after_loading",
        "create_weights",
        "from_config",
        "from_pretrained",
        "get_quant_method",
        "load_state_dict",
        "load_component",
        "load_customized",
        "get_model",
        "init_model",
        "get_config",
    }
)

LOADING_FOLDERS = frozenset(
    {"models", "model_loader", "loader", "quantization", "configs", "model_configs", "weight_sync", "hf_transformers"}
)
KERNEL_FOLDERS = frozenset(
    {"kernels", "kernel", "jit_kernel", "triton_ops", "triton_kernels", "cutedsl", "cute", "csrc", "ops", "flash_attn"}
)
TEST_FOLDERS = frozenset({"test", "tests", "testing", "debug_utils", "kits"})
TOOL_FOLDERS = frozenset({"benchmark", "benchmarks", "bench", "tools", "eval", "scripts", "apps"})
REQUEST_FOLDERS = frozenset(
    {
        "entrypoints",
        "openai",
        "sampling",
        "parser",
        "function_call",
        "constrained",
        "processors",
        "multimodal",
        "stages",
    }
)
REQUEST_WORDS = frozenset(
    {"request", "requests", "req", "generate", "score", "forward", "chat", "completion", "prompts"}
)
"""Words in the names of functions that run once a request, not once a start."""
LAUNCH_FOLDERS = frozenset({"server_args", "arg_groups"})
"""Folders by what a reader of their name expects; used only where nothing better is known of a site."""

MODULE_BASES = ("Module", "PreTrainedModel")
"""Endings of the base classes of network layers: their constructors run while a model is loaded."""

CONFIG_RECEIVERS = frozenset(
    {
        "config",
        "hf_config",
        "text_config",
        "model_config",
        "quant_config",
        "vision_config",
        "hf_text_config",
        "cfg",
        "draft_config",
        "audio_config",
    }
)
"""Names under which a model's configuration is handed on."""
