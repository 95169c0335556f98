import { mappingsIn } from '../mapping/fields.ts';
import type { Mapping } from '../read-yaml.ts';

/** Notes the recurring maintenance windows of an endpoint. */
export const noteMaintenance = (section: Mapping, note: (rest: string) => void): void => {
  if (mappingsIn(section, 'maintenance-windows').length > 0)
    note(
      'has recurring maintenance windows, which Uptrail lacks; mute its rules for the time, or schedule each maintenance.',
    );
};
