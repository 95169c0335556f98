/** An open port, and what is known about its service. */
export interface OpenPort {
  port: number;
  protocol: 'tcp' | 'udp';
  /** nmap's name, over TLS with the prefix `ssl/`; the usual service of the port unless it was recognised */
  service: string | null;
  product: string | null;
  version: string | null;
  extrainfo: string | null;
  /** the service was recognised by its answer */
  recognised: boolean;
}

/** A port with only its number and its usual service known. */
export const unrecognised = (port: number, protocol: OpenPort['protocol'], service: string | null): OpenPort => ({
  port,
  protocol,
  service,
  product: null,
  version: null,
  extrainfo: null,
  recognised: false,
});
