import type { Static } from '@sinclair/typebox';
import type { CheckDetails } from '../../../queries/checks/details.ts';
import { createPresenter } from '../../presenter.ts';
import { presentBinding } from '../secrets/schema.ts';
import type { CheckWithUptime } from './include-uptime.ts';
import { Check } from './schema.ts';

const present = createPresenter(Check, ['secrets', 'group']);

/** Converts the group of a check to its form in responses. */
const presentGroup = (group: CheckDetails['group']): Check['group'] => {
  if (group === null) return null;
  const { id, name, description, color, position, active } = group;
  return { id, name, description, color, position, active };
};

/** Converts a check to its form in responses, with its uptime if requested. */
export const presentCheck = (check: CheckDetails): Static<typeof CheckWithUptime> => {
  const shown = present(check, {
    secrets: check.secrets.map((binding) => presentBinding(binding)),
    group: presentGroup(check.group),
  });
  if (!check.uptime) return shown;
  const { uptime_summary, uptime_data } = check.uptime;
  return { ...shown, uptime_summary, uptime_data };
};
