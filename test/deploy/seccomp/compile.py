"""Compiles a seccomp profile (Docker's JSON on stdin) for one architecture by libseccomp, as a container engine does.

Writes the filter to stdout, as the kernel and `bwrap --seccomp` read it; calls that libseccomp does not know to stderr.
Usage: compile.py SCMP_ARCH_X86_64
"""

import json
import sys
import tempfile

import seccomp

ARCHITECTURES = {"SCMP_ARCH_X86_64": seccomp.Arch.X86_64, "SCMP_ARCH_AARCH64": seccomp.Arch.AARCH64}
OPERATORS = {"SCMP_CMP_EQ": seccomp.EQ, "SCMP_CMP_MASKED_EQ": seccomp.MASKED_EQ}


def action(name, code):
    return {"SCMP_ACT_ALLOW": seccomp.ALLOW, "SCMP_ACT_ERRNO": seccomp.ERRNO(code)}[name]


def condition(args):
    values = [args["value"]] + ([args["valueTwo"]] if "valueTwo" in args else [])
    return seccomp.Arg(args["index"], OPERATORS[args["op"]], *values)


profile = json.load(sys.stdin)
architecture = ARCHITECTURES[sys.argv[1]]
made = seccomp.SyscallFilter(action(profile["defaultAction"], profile.get("defaultErrnoRet", 1)))
if architecture & 0xFFFFFFFF != seccomp.system_arch():
    made.add_arch(architecture)
    made.remove_arch(seccomp.Arch())
for rule in profile["syscalls"]:
    for name in rule["names"]:
        if seccomp.resolve_syscall(architecture, name) == -1:
            print(name, file=sys.stderr)
            continue
        made.add_rule(action(rule["action"], rule.get("errnoRet", 1)), name, *map(condition, rule.get("args", [])))
with tempfile.TemporaryFile() as written:
    made.export_bpf(written)
    written.seek(0)
    sys.stdout.buffer.write(written.read())
