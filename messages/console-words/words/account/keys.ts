/** Texts of the API keys screen. */
export interface KeysWords {
  text: string;
  none: string;
  make: string;
  nameHint: string;
  madeBy: string;
  operator: string;
  somebody: string;
  allowedIps: string;
  allowedIpsHint: string;
  anywhere: string;
  expires: string;
  expired: string;
  until: string;
  expiries: {
    never: string;
    '30': string;
    '90': string;
    '365': string;
    at: string;
  };
  lastUsed: string;
  revoke: string;
  revokeTitle: string;
  revokeText: string;
  once: string;
  key: string;
  example: string;
  kept: string;
}
