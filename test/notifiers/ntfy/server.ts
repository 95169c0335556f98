import { httpServer } from '../../probes/web/servers.ts';

/** A notification that the test server has received, as the apps of ntfy show it. */
export interface Notification {
  topic: string;
  title?: string;
  message: string;
  priority?: number;
  tags?: string[];
  click?: string;
  sequence_id?: string;
}

/** The `message-size-limit` of a server in bytes. A JSON body can have twice that size. */
const MOST_BYTES = 4_096;
const NAME = /^[-_A-Za-z0-9]{1,64}$/;

/** Returns the status and error code with which ntfy refuses a message, or null if it accepts the message. */
const refusalOf = (body: string, authorization: string | undefined, token: string | null): [number, number] | null => {
  if (Buffer.byteLength(body) > 2 * MOST_BYTES) return [413, 41_301];
  const { topic, message, priority = 3, sequence_id } = JSON.parse(body) as Notification;
  if (!NAME.test(topic)) return [400, 40_009];
  if (Buffer.byteLength(message) > MOST_BYTES) return [400, 40_014];
  if (!(priority >= 1 && priority <= 5)) return [400, 40_007];
  if (sequence_id !== undefined && !NAME.test(sequence_id)) return [400, 40_049];
  if (token === null) return null;
  if (authorization === undefined) return [403, 40_301];
  return authorization === `Bearer ${token}` ? null : [401, 40_101];
};

/**
 * Starts a test double of an ntfy server.
 *
 * @param token the token that its topics require; null if they require none
 * @param updates whether a message replaces the notification with the same `sequence_id`, as in ntfy 2.16.0 and later
 */
export const ntfyServer = async ({
  token = null,
  updates = true,
}: { token?: string | null; updates?: boolean } = {}) => {
  const shown: Notification[] = [];
  const { port } = await httpServer(({ method, url, headers }, response, body) => {
    const refusal: [number, number] | null =
      method !== 'POST' || url !== '/' ? [404, 40_401] : refusalOf(body, headers.authorization, token);
    response.setHeader('content-type', 'application/json');
    if (refusal) {
      const [http, code] = refusal;
      response.writeHead(http).end(JSON.stringify({ code, http, error: `refused: ${headers.authorization ?? ''}` }));
      return;
    }
    const taken = JSON.parse(body) as Notification;
    const before = updates ? shown.findIndex((one) => one.sequence_id === taken.sequence_id) : -1;
    if (taken.sequence_id !== undefined && before >= 0) shown[before] = taken;
    else shown.push(taken);
    response.end(JSON.stringify({ id: 'xE73Iyuabi', time: 1_763_650_800, event: 'message', ...taken }));
  });
  return { url: `http://127.0.0.1:${port}`, shown };
};
