import type { JSX } from 'preact';
import { useLive, type LiveSource } from '../../live/live-data.ts';
import { Facts } from '../../parts/facts.tsx';
import { LoadedView } from '../../parts/loaded-view.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { Moment } from '../../parts/times/since.tsx';
import { call } from '../../session/call.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { UseBars } from '../usage/bars.tsx';
import { PlanTabs, limitUsagesOf } from '../usage/usage.tsx';
import { AutoRenew } from './auto-renew.tsx';
import { Details } from './details.tsx';
import { Payments } from './payments.tsx';
import type { PlanOf } from './plan-of.ts';
import { Plans } from './plans.tsx';

const PLAN: LiveSource<PlanOf | null> = {
  load: async (signal) => {
    const [[organization], usage, plans] = await Promise.all([
      call('GET /v1/organizations', {}, { signal }),
      call('GET /v1/usage', {}, { signal }),
      call('GET /v1/plans', {}, { signal }),
    ]);
    if (!organization) return null;
    const params = { org_id: organization.id };
    const subscriptions = may('GET /v1/organizations/{org_id}/subscriptions')
      ? await call('GET /v1/organizations/{org_id}/subscriptions', { params }, { signal })
      : null;
    return { organization, usage, plans, subscriptions };
  },
  resources: ['organization', 'subscription'],
  merge: () => null,
};

/** The plan of the organization: limits, prices and payments. */
const PlanScreen = (): JSX.Element => {
  const live = useLive(PLAN, []);
  const says = words.value.plan;
  return (
    <>
      <ScreenHead title={words.value.screens.plan} />
      <PlanTabs />
      <LoadedView of={live}>
        {(plan) =>
          plan && (
            <div class="cards">
              <section class="card-section" aria-labelledby="plan-now">
                <h2 id="plan-now">
                  <bdi>{plan.usage.plan.name}</bdi>
                </h2>
                <UseBars uses={limitUsagesOf(plan.usage)} />
                <Current plan={plan} onChanged={live.again} />
              </section>
              <Plans plan={plan} onOrdered={live.again} />
              {may('GET /v1/payments') && (
                <section class="card-section" aria-labelledby="plan-payments">
                  <h2 id="plan-payments">{says.payments}</h2>
                  <Payments />
                </section>
              )}
              {plan.subscriptions && plan.subscriptions.length > 0 && (
                <section class="card-section" aria-labelledby="plan-history">
                  <h2 id="plan-history">{says.history}</h2>
                  <Facts
                    facts={plan.subscriptions.map((subscription) => [
                      subscription.plan.name,
                      <>
                        <Moment instant={subscription.start_date} /> – <Moment instant={subscription.end_date} />
                      </>,
                    ])}
                  />
                </section>
              )}
              <section class="card-section" aria-labelledby="plan-organization">
                <h2 id="plan-organization">{says.organization}</h2>
                <Details organization={plan.organization} onChanged={live.again} />
              </section>
            </div>
          )
        }
      </LoadedView>
    </>
  );
};
export default PlanScreen;

/** Shows the current subscription, and whether it is renewed automatically. */
const Current = ({
  plan: { organization },
  onChanged,
}: {
  plan: PlanOf;
  onChanged: () => void;
}): JSX.Element | null => {
  const says = words.value.plan;
  const { current_subscription: current } = organization;
  if (!current) return <p class="hint">{says.noSubscription}</p>;
  return (
    <>
      <Facts
        facts={[
          [says.begun, <Moment instant={current.start_date} />],
          [says.ends, <Moment instant={current.end_date} />],
        ]}
      />
      <AutoRenew organization={organization} onChanged={onChanged} />
    </>
  );
};
