import type { Socket } from 'node:net';
import * as assert from 'uvu/assert';
import { rawServer } from '../../probes/web/servers.ts';
import { freePort } from '../../servers/ports.ts';
import { callApi, uptrail, type RunningProgram } from '../program.ts';
import { eventually } from '../../waiting.ts';

/** An alert as the API shows it. */
export interface ShownAlert {
  id: string;
  status: string;
  is_active: boolean;
  title: string;
  resolution: string | null;
  duration: number;
  notification_count: number;
  rule_id: string;
  trigger_results: { result_id: string }[];
  history: { event: string; user_id: string | null }[];
}

const respond = (socket: Socket): void => {
  socket.on('error', () => undefined);
  socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok'));
};

/** Creates a server that can be stopped, and started again at the same address. */
export const stoppableServer = async () => {
  const port = await freePort();
  let open: { close: () => Promise<unknown> } | null = null;
  return {
    url: `http://127.0.0.1:${port}/`,
    start: async (): Promise<void> => {
      open ??= await rawServer(respond, '127.0.0.1', port);
    },
    stop: async (): Promise<void> => {
      await open?.close();
      open = null;
    },
    isUp: (): boolean => open !== null,
  };
};

/** Creates a resource through the API. @returns the resource */
export const createResource = async (
  program: RunningProgram,
  key: string,
  path: string,
  body: object,
): Promise<{ id: string }> => {
  const { status, body: shown } = await callApi(program, key, 'POST', path, body);
  assert.ok(status < 300, `${path} ${JSON.stringify(shown)} ${program.output.stderr}`);
  return shown as { id: string };
};

/** Creates a rule that fires when the check fails once, with a channel to this address. @returns the id of the rule */
export const createRuleFor = async (
  program: RunningProgram,
  key: string,
  check_id: string,
  url: string,
): Promise<string> => {
  const channel = { name: 'Hook', type: 'webhook', configuration: { url } };
  const { id: channel_id } = await createResource(program, key, '/v1/alerts/channels', channel);
  const rule = { name: 'It answers', check_id, condition: 'check_failed', cooldown_period: 0 };
  return (await createResource(program, key, '/v1/alerts/rules', { ...rule, channel_ids: [channel_id] })).id;
};

/** Returns all alerts that the API lists, newest first. */
export const alertsOf = async (program: RunningProgram, key: string): Promise<ShownAlert[]> =>
  ((await callApi(program, key, 'GET', '/v1/alerts')).body as { alerts: ShownAlert[] }).alerts;

/** Polls the alerts until they fulfil a condition, with a time limit. */
export const waitForAlerts = async (
  program: RunningProgram,
  key: string,
  expected: (alerts: readonly ShownAlert[]) => boolean,
  withinSeconds: number,
): Promise<ShownAlert[]> => {
  let alerts: ShownAlert[] = [];
  await eventually(
    async () => {
      alerts = await alertsOf(program, key);
      assert.ok(expected(alerts), `${JSON.stringify(alerts)} ${program.output.stderr}`);
      return true;
    },
    { within: withinSeconds * 1_000, what: 'the expected alerts' },
  );
  return alerts;
};

/** Returns the alert events of the main log, in order. */
export const loggedAlerts = async (
  environment: Record<string, string>,
): Promise<{ type: string; data: { alert_id: string; rule_id?: string; number?: number } }[]> => {
  const { stdout } = await uptrail(environment, 'replay', '--log', 'main');
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Awaited<ReturnType<typeof loggedAlerts>>[number])
    .filter(({ type }) => type === 'AlertFired' || type === 'AlertResolved');
};
