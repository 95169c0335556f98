/*
 * The URLs of the console. A proxy may serve the console below a prefix unknown to the service, so all URLs are derived
 * from the URL of this script, `<prefix>/console/assets/….js`.
 */

/** The service's root with a trailing slash: `https://example.com/monitoring/`. */
export const SERVICE_URL = new URL('../../', import.meta.url);

/** The console's path without a trailing slash: `/monitoring/console`. */
export const CONSOLE_PATH = new URL('..', import.meta.url).pathname.replace(/\/$/, '');
