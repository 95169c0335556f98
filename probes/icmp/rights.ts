import { runTool } from '../engine/tool.ts';

/** Milliseconds. fping takes half a second without replies. */
const PATIENCE_MS = 10_000;

/** `setpriv`'s exit code if the system refuses to start a program. */
const NOT_STARTED = 126;

/**
 * Tests with this machine's own address whether fping may send ICMP.
 *
 * @returns null if it may; otherwise a sentence that says how to permit it
 */
export const whyNoIcmp = async (): Promise<string | null> => {
  try {
    const { code, stderr } = await runTool('fping', ['-4', '-S', '0.0.0.0', '-r', '0', '--', '127.0.0.1'], {
      signal: AbortSignal.timeout(PATIENCE_MS),
      onOutput: () => undefined,
    });
    // 1: it sent requests, but got no reply; a machine may be configured to ignore them.
    if (code === 0 || code === 1) return null;
    const said = stderr.trim().split('\n').at(-1) ?? '';
    return code === NOT_STARTED ? notStarted(said) : notAllowed(said);
  } catch (error) {
    return notStarted((error as Error).message);
  }
};

const notAllowed = (said: string): string =>
  `fping may not send ICMP (${said}). Allow the group of this process to open ping sockets` +
  ` (sysctl net.ipv4.ping_group_range="0 2147483647"), or give the process the capability CAP_NET_RAW.`;

/** The system refuses to start a file with a capability that the process can't have, even if it isn't needed. */
const notStarted = (said: string): string =>
  `fping can't be started (${said}). If the capability of its file is the reason, remove it with setcap -r` +
  ` and allow ping sockets (sysctl net.ipv4.ping_group_range="0 2147483647"),` +
  ` or give the process the capability CAP_NET_RAW.`;
