/** Rules for header fields that customers add to the service's requests. */

/** RFC 9110, 5.6.2 */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** Visible characters, with spaces or tabs between them. */
const VALUE = /^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/;
/** Fields that control the connection. Customers must not set them. */
const OF_CONNECTION =
  /^(content-length|host|connection|expect|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;

export const isFieldName = (name: string): boolean => NAME.test(name);

/** Returns whether a value is valid and not empty. */
export const isFieldValue = (value: string): boolean => VALUE.test(value);

export const isConnectionField = (name: string): boolean => OF_CONNECTION.test(name);
