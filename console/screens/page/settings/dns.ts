/** The host name of a service; null: it is an address, or this very machine, which no record can name. */
export const hostIn = ({ hostname }: Pick<URL, 'hostname'>): string | null =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
    ? null
    : hostname;

/** The record that leads from a domain to a host, as zone files have it. */
export const dnsRecord = (domain: string, host: string): string => `${domain}. CNAME ${host}.`;
