import { moneyText, shownMoney } from '../domain/money.ts';
import { SELF_HOSTED, type Plans } from '../domain/organization/plans.ts';
import type { Plan } from '../domain/organization/subscription-events.ts';
import type { Config } from '../service/config/config.ts';
import { plansIn } from '../service/config/plans.ts';
import { OperatorError } from '../service/operator-error.ts';
import { printable, table, type Output } from '../service/output.ts';

/** `uptrail plans`: lists the configured plans. */
export const listPlans = async (config: Config, { json }: { json: boolean }, output: Output): Promise<void> => {
  const plans = config.plans ?? SELF_HOSTED;
  if (json) {
    for (const plan of plans.all)
      await output.line(JSON.stringify({ ...shown(plan), default: plan === plans.default }));
    return;
  }
  const limitOf = (limit: number | null): string => limit?.toString() ?? 'none';
  const rows = plans.all.map((plan) => {
    const { id, name, price, duration, limits } = plan;
    return [
      plan === plans.default ? `${id} (default)` : id,
      printable(name),
      moneyText(price),
      duration.toString(),
      ...[limits.credits, limits.checks, limits.pages, limits.users, limits.shortest_interval].map(limitOf),
    ];
  });
  const headings = ['ID', 'NAME', 'PRICE', 'DAYS', 'CREDITS', 'CHECKS', 'PAGES', 'USERS', 'SHORTEST INTERVAL'];
  for (const line of table(headings, rows)) await output.line(line);
};

const shown = ({ price, ...plan }: Plan) => ({ ...plan, price: shownMoney(price) });

/**
 * `uptrail plans --check`: reports whether a file is a valid `PLANS_FILE`.
 *
 * @throws OperatorError what is wrong with the file
 */
export const checkPlans = async (file: string, output: Output): Promise<void> => {
  let plans: Plans;
  try {
    plans = plansIn(file);
  } catch (error) {
    throw new OperatorError((error as Error).message);
  }
  const { length } = plans.all;
  const many = length === 1 ? '1 plan' : `${length} plans`;
  await output.line(`"${file}" is valid: ${many}; organizations without a subscription get "${plans.default.id}".`);
};
