import { runTool } from '../engine/tool.ts';

/** fping takes half a second if nothing answers. Milliseconds. */
const PATIENCE_MS = 10_000;

/** The exit code of `setpriv` when the system does not start a program. */
const NOT_STARTED = 126;

/**
 * Whether fping may send ICMP here, tried on this machine itself.
 *
 * @returns null if it may, else a sentence that says how to allow it
 */
export const whyNoIcmp = async (): Promise<string | null> => {
  try {
    const { code, stderr } = await runTool('fping', ['-4', '-S', '0.0.0.0', '-r', '0', '--', '127.0.0.1'], {
      signal: AbortSignal.timeout(PATIENCE_MS),
      onOutput: () => undefined,
    });
    // 1: it sent, but nothing answered; a machine may be told to ignore requests.
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

/** The system does not start a file with a capability that the process can't have, even where it is not needed. */
const notStarted = (said: string): string =>
  `fping can't be started (${said}). If the capability of its file is the reason, remove it with setcap -r` +
  ` and allow ping sockets (sysctl net.ipv4.ping_group_range="0 2147483647"),` +
  ` or give the process the capability CAP_NET_RAW.`;
