import type { Config } from './config.ts';
import type { Output } from './output.ts';
import { openKeys, siteOf } from './site.ts';

/** `uptrail keys forget`: what the key sealed can't be read any more, in events and read models alike. */
export const forgetKey = async (config: Config, name: string, output: Output): Promise<void> => {
  const keys = await openKeys(siteOf(config), config);
  try {
    await keys.forget(name);
    await output.line(`The key ${name} is forgotten.`);
  } finally {
    await keys.close();
  }
};
