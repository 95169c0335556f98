import { runTool } from '../engine/tool.ts';

/** Time limit of the test, in milliseconds. Without a reply, fping takes half a second. */
const PATIENCE_MS = 10_000;

/** Exit code of `setpriv` if the system refuses to start the program. */
const NOT_STARTED = 126;

/**
 * Tests whether the system permits fping to send ICMP, by pinging 127.0.0.1.
 *
 * @returns null if fping is permitted; otherwise a sentence that says how to permit it
 */
export const whyNoIcmp = async (): Promise<string | null> => {
  try {
    const { code, stderr } = await runTool('fping', ['-4', '-S', '0.0.0.0', '-r', '0', '--', '127.0.0.1'], {
      signal: AbortSignal.timeout(PATIENCE_MS),
      onOutput: () => undefined,
    });
    // Code 1 means that fping sent a request but received no reply. Some machines are configured to ignore pings.
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

/**
 * Explains why fping was not started. The system refuses to start a file that has a capability which this process can't
 * acquire, even if the program does not need the capability.
 */
const notStarted = (said: string): string =>
  `fping can't be started (${said}). If the capability of its file is the reason, remove it with setcap -r` +
  ` and allow ping sockets (sysctl net.ipv4.ping_group_range="0 2147483647"),` +
  ` or give the process the capability CAP_NET_RAW.`;
