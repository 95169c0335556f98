/** The versions of the tested protocols as sent on the wire, by the name of each protocol in `check_metadata`. */
export const PROTOCOLS = {
  ssl_2_0: 0x0002,
  ssl_3_0: 0x0300,
  tls_1_0: 0x0301,
  tls_1_1: 0x0302,
  tls_1_2: 0x0303,
  tls_1_3: 0x0304,
} as const;
export type ProtocolName = keyof typeof PROTOCOLS;

export const PROTOCOL_NAMES = Object.keys(PROTOCOLS) as ProtocolName[];

const TITLES: Readonly<Record<ProtocolName, string>> = {
  ssl_2_0: 'SSL 2.0',
  ssl_3_0: 'SSL 3.0',
  tls_1_0: 'TLS 1.0',
  tls_1_1: 'TLS 1.1',
  tls_1_2: 'TLS 1.2',
  tls_1_3: 'TLS 1.3',
};

/** Returns the name of a protocol for sentences: `TLS 1.2`. */
export const titleOf = (name: ProtocolName): string => TITLES[name];
