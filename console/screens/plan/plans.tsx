import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx';
import { numberFormat } from '../../parts/number-format.ts';
import { durationOf } from '../../parts/times/since.tsx';
import { call } from '../../session/call.ts';
import { may } from '../../session/permissions.ts';
import { language, words } from '../../shell/language.ts';
import { moneyText } from './money.ts';
import type { PlanOf } from './plan-of.ts';

type Plan = Schemas['Plan'];

/**
 * Returns a random text. Does not use `crypto.randomUUID`, which browsers do not provide over plain http from another
 * machine.
 */
const randomText = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const isFree = ({ price }: Plan): boolean => Number(price.value) === 0;

/** The plans that can be ordered. Renders nothing if there is only one plan. */
export const Plans = ({ plan, onOrdered }: { plan: PlanOf; onOrdered: () => void }): JSX.Element | null => {
  const ordered = useSignal<Plan | null>(null);
  const says = words.value.plan;
  if (plan.plans.length <= 1) return null;
  const now = ordered.value;
  return (
    <section class="card-section whole" aria-labelledby="plan-plans">
      <h2 id="plan-plans">{says.plans}</h2>
      <ul class="plans">
        {plan.plans.map((one) => (
          <li key={one.id} data-current={one.id === plan.usage.plan.id}>
            <h3>
              <bdi>{one.name}</bdi>
            </h3>
            <p class="price">{moneyText(one.price, language.value)}</p>
            <p class="fine">{says.days(one.duration)}</p>
            {one.description !== null && (
              <p class="hint">
                <bdi>{one.description}</bdi>
              </p>
            )}
            <Limits of={one} />
            {one.id === plan.usage.plan.id && <p class="fine">{says.current}</p>}
            {may('POST /v1/payments') && !isFree(one) && (
              <button
                class="button"
                onClick={() => {
                  ordered.value = one;
                }}
              >
                {one.id === plan.usage.plan.id ? says.extend : says.order}
              </button>
            )}
          </li>
        ))}
      </ul>
      {now && (
        <ConfirmDialog
          title={`${says.order}: ${now.name}`}
          text={
            <p>
              {moneyText(now.price, language.value)} · {says.orderText}
            </p>
          }
          action={says.order}
          onClose={() => {
            ordered.value = null;
          }}
          onConfirm={async () => {
            await call(
              'POST /v1/payments',
              { body: { plan_id: now.id } },
              { headers: { 'Idempotency-Key': randomText() } },
            );
            onOrdered();
          }}
        />
      )}
    </section>
  );
};

const Limits = ({ of: { limits } }: { of: Plan }): JSX.Element => {
  const says = words.value.plan;
  const numbers = numberFormat(language.value);
  const text = (limit: number | null): string => (limit === null ? says.unlimited : numbers.format(limit));
  const lines: [string, string][] = [
    [says.credits, text(limits.credits)],
    [words.value.screens.checks, text(limits.checks)],
    [says.pages, text(limits.pages)],
    [words.value.screens.people, text(limits.users)],
    [
      says.shortestInterval,
      limits.shortest_interval === null ? says.anyInterval : durationOf(limits.shortest_interval, language.value),
    ],
  ];
  return (
    <dl>
      {lines.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
};
