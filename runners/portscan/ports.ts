/** An open port, and what is known of what serves it. */
export interface OpenPort {
  port: number;
  protocol: 'tcp' | 'udp';
  /** nmap's name, with `ssl/` before it over TLS; that which usually has the port unless it was recognised */
  service: string | null;
  product: string | null;
  version: string | null;
  extrainfo: string | null;
  /** the service was recognised by its answer */
  recognised: boolean;
}

/** A port of which only the number and its usual service are known. */
export const unrecognised = (port: number, protocol: OpenPort['protocol'], service: string | null): OpenPort => ({
  port,
  protocol,
  service,
  product: null,
  version: null,
  extrainfo: null,
  recognised: false,
});
