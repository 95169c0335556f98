/**
 * Returns the service's host name. Returns null if the host is an IP address or a loopback name, because a CNAME record
 * can't refer to these.
 */
export const hostIn = ({ hostname }: Pick<URL, 'hostname'>): string | null =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
    ? null
    : hostname;

/** Returns the DNS record that points a domain to a host, in zone file format. */
export const dnsRecord = (domain: string, host: string): string => `${domain}. CNAME ${host}.`;
