"""Makes a filter of a seccomp profile (Docker's JSON) by libseccomp, as a container engine does.

libseccomp.py check SCMP_ARCH_X86_64 < profile    compiles it, and prints the calls that libseccomp does not know
libseccomp.py run profile program parameter ...   becomes the program, filtered and without a way to more rights
"""

import json
import os
import sys
import tempfile

import seccomp

ARCHITECTURES = {"SCMP_ARCH_X86_64": seccomp.Arch.X86_64, "SCMP_ARCH_AARCH64": seccomp.Arch.AARCH64}
OURS = {"x86_64": seccomp.Arch.X86_64, "aarch64": seccomp.Arch.AARCH64}[os.uname().machine]
OPERATORS = {"SCMP_CMP_EQ": seccomp.EQ, "SCMP_CMP_MASKED_EQ": seccomp.MASKED_EQ}


def action(name, code):
    return {"SCMP_ACT_ALLOW": seccomp.ALLOW, "SCMP_ACT_ERRNO": seccomp.ERRNO(code)}[name]


def condition(args):
    values = [args["value"]] + ([args["valueTwo"]] if "valueTwo" in args else [])
    return seccomp.Arg(args["index"], OPERATORS[args["op"]], *values)


def filter_of(profile, architecture):
    made = seccomp.SyscallFilter(action(profile["defaultAction"], profile["defaultErrnoRet"]))
    if architecture != OURS:
        made.add_arch(architecture)
        made.remove_arch(OURS)
    unknown = []
    for rule in profile["syscalls"]:
        for name in rule["names"]:
            if seccomp.resolve_syscall(architecture, name) == -1:
                unknown.append(name)
                continue
            made.add_rule(action(rule["action"], rule.get("errnoRet", 1)), name, *map(condition, rule.get("args", [])))
    return made, unknown


if sys.argv[1] == "check":
    made, unknown = filter_of(json.load(sys.stdin), ARCHITECTURES[sys.argv[2]])
    with tempfile.TemporaryFile() as file:
        made.export_bpf(file)
    print("\n".join(unknown))
else:
    with open(sys.argv[2]) as file:
        made, _ = filter_of(json.load(file), OURS)
    made.load()
    os.execvp(sys.argv[3], sys.argv[3:])
