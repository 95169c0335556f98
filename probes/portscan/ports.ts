/** An open port with its service. */
export interface OpenPort {
  port: number;
  protocol: 'tcp' | 'udp';
  /**
   * nmap's name of the service, with the prefix `ssl/` if it uses TLS; the service that usually uses the port if nmap
   * did not recognise it
   */
  service: string | null;
  product: string | null;
  version: string | null;
  extrainfo: string | null;
  /** whether the service was recognised by its response */
  recognised: boolean;
}

/** Creates an open port of which only the number and the usual service are known. */
export const unrecognisedPort = (port: number, protocol: OpenPort['protocol'], service: string | null): OpenPort => ({
  port,
  protocol,
  service,
  product: null,
  version: null,
  extrainfo: null,
  recognised: false,
});
