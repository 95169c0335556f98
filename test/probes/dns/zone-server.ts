import { decode, type Answer, type Packet, type RecordType } from 'dns-packet';
import { responseTo, udpServer, type UdpServer } from '../../network/dns/servers.ts';

/** Flags of DNS responses. */
export const AA = 0x400;
export const RA = 0x80;
export const AD = 0x20;
const CD = 0x10;

export const NXDOMAIN = 3;
export const SERVFAIL = 2;
export const REFUSED = 5;

/** A query that a server received. */
export interface ReceivedQuestion {
  name: string;
  type: RecordType;
  /** whether the CD flag (checking disabled) is set */
  unchecked: boolean;
}

export type Response = Packet & { rcode?: number };

/** Starts a name server that sends the responses of `respond`. If `respond` returns null, the server sends nothing. */
export const answering = async (
  respond: (requested: ReceivedQuestion) => Response | null,
): Promise<UdpServer & { address: string; questions: string[] }> => {
  const questions: string[] = [];
  const server = await udpServer((query) => {
    const packet = decode(query);
    const question = packet.questions?.[0];
    if (!question) return undefined;
    const { name, type } = question;
    questions.push(`${name} ${type}`);
    const response = respond({ name: name.toLowerCase(), type, unchecked: ((packet.flags ?? 0) & CD) !== 0 });
    return response ? responseTo(query, { flags: AA | RA, ...response }) : undefined;
  });
  return { ...server, address: `127.0.0.1:${server.port}`, questions };
};

export const soa = (name: string): Answer => ({
  type: 'SOA',
  name,
  data: { mname: `ns1.${name}`, rname: `root.${name}`, serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 1 },
});

/** Creates the extended error of a resolver (RFC 8914). */
export const extendedError = (code: number, text: string): Answer => {
  const data = Buffer.concat([Buffer.of(code >> 8, code & 0xff), Buffer.from(text)]);
  return {
    type: 'OPT',
    name: '.',
    udpPayloadSize: 1_232,
    flags: 0,
    options: [{ code: 15, data }],
  } as unknown as Answer;
};

/** Responds with the given records as the only server of a zone does, and follows aliases within the zone. */
export const zoneOf =
  (zone: string, records: readonly Answer[]) =>
  ({ name, type }: ReceivedQuestion): Response => {
    const answers: Answer[] = [];
    for (let at: string | undefined = name; at !== undefined && answers.length < 20;) {
      const here = records.filter((record) => record.name.toLowerCase() === at);
      answers.push(...here.filter((record) => record.type === type));
      const alias: Answer | undefined = here.find((record) => record.type === 'CNAME' && record.type !== type);
      if (alias) answers.push(alias);
      at = alias ? (alias as { data: string }).data.toLowerCase() : undefined;
    }
    const known = records.some((record) => record.name.toLowerCase() === name);
    if (answers.length > 0) return { answers };
    return { rcode: known ? 0 : NXDOMAIN, authorities: [soa(zone)] };
  };
