/*
 * Where the console is. A proxy may serve the service below a prefix that the service does not know, so all addresses
 * follow from that of this script, `<prefix>/console/assets/….js`.
 */

/** The root of the service, with a slash at its end: `https://example.com/monitoring/`. */
export const SERVICE = new URL('../../', import.meta.url);

/** The path of the console, without a slash at its end: `/monitoring/console`. */
export const ROOT = new URL('..', import.meta.url).pathname.replace(/\/$/, '');
