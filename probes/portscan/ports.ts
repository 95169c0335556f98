/** An open port with its service. */
export interface OpenPort {
  port: number;
  protocol: 'tcp' | 'udp';
  /** nmap's name, with the prefix `ssl/` over TLS; the usual service of the port unless it was recognised */
  service: string | null;
  product: string | null;
  version: string | null;
  extrainfo: string | null;
  /** whether the service was recognised by its response */
  recognised: boolean;
}

/** A port of which only the number and the usual service are known. */
export const unrecognisedPort = (port: number, protocol: OpenPort['protocol'], service: string | null): OpenPort => ({
  port,
  protocol,
  service,
  product: null,
  version: null,
  extrainfo: null,
  recognised: false,
});
