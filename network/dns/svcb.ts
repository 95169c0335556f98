import type { Cursor } from './cursor.ts';
import { MalformedDnsMessage } from './malformed.ts';

/** Data of HTTPS and SVCB records (RFC 9460, 2.2). */
export interface Svcb {
  /** 0 means that the name is an alias of `target` */
  priority: number;
  target: string;
  /** in ascending order of the keys; each key occurs once */
  params: { key: number; value: Buffer }[];
}

/** @throws MalformedDnsMessage */
export const readSvcb = (from: Cursor): Svcb => {
  const priority = from.u16();
  const target = from.name();
  const params: Svcb['params'] = [];
  let last = -1;
  while (from.left > 0) {
    const key = from.u16();
    if (key <= last) throw new MalformedDnsMessage('its parameters are not in ascending order');
    last = key;
    params.push({ key, value: from.take(from.u16()) });
  }
  return { priority, target, params };
};
