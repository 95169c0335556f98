import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { StatePill, type State } from '../../../views/status/state.tsx';
import { useLive, type LiveSource } from '../../live/live-data.ts';
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { LoadedView } from '../../parts/loaded-view.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Moment } from '../../parts/times/since.tsx';
import { SERVICE_URL } from '../../urls.ts';
import { call } from '../../session/call.ts';
import { may } from '../../session/permissions.ts';
import { language, words } from '../../shell/language.ts';
import { moneyText } from './money.ts';

type Payment = Schemas['Payment'];
type Page = { payments: readonly Payment[]; pagination: Schemas['PaginationByPerPage'] };

const STATES: Readonly<Record<Payment['status'], State>> = {
  pending: 'degraded',
  succeeded: 'operational',
  canceled: 'none',
};

const paymentsOf = (page: number): LiveSource<Page> => ({
  load: (signal) => call('GET /v1/payments', { query: { page, per_page: 20 } }, { signal }),
  resources: ['payment'],
  merge: () => null,
});

/** Payments, newest first, with their invoices. */
export const Payments = (): JSX.Element => {
  const page = useSignal(1);
  const live = useLive(paymentsOf(page.value), [page.value]);
  const canceled = useSignal<Payment | null>(null);
  const says = words.value.plan;
  const columns: Column<Payment>[] = [
    {
      name: 'description',
      label: words.value.common.description,
      kind: 'key',
      cell: ({ description }) => <bdi>{description}</bdi>,
    },
    { name: 'amount', label: says.amount, kind: 'number', cell: ({ amount }) => moneyText(amount, language.value) },
    {
      name: 'status',
      label: words.value.people.status,
      cell: ({ status }) => <StatePill state={STATES[status]} label={says.statuses[status]} />,
    },
    {
      name: 'created',
      label: words.value.common.created,
      cell: ({ created_at }) => <Moment instant={created_at} />,
    },
    { name: 'invoice', label: says.invoice, cell: (payment) => <Invoice of={payment} /> },
    ...(may('POST /v1/payments/{payment_id}/cancel')
      ? [
          {
            name: 'do',
            label: words.value.common.actions,
            kind: 'actions' as const,
            cell: (payment: Payment) =>
              payment.status === 'pending' ? (
                <button
                  class="button quiet"
                  onClick={() => {
                    canceled.value = payment;
                  }}
                >
                  {says.cancelPayment}
                </button>
              ) : null,
          },
        ]
      : []),
  ];
  const now = canceled.value;
  return (
    <>
      <LoadedView of={live}>
        {({ payments, pagination }) =>
          payments.length === 0 ? (
            <p class="hint">{says.noPayments}</p>
          ) : (
            <>
              <DataTable label={says.payments} columns={columns} rows={payments} keyOf={({ id }) => id} />
              <Pager
                pagination={{ page: pagination.page, total_pages: pagination.pages, total_items: pagination.total }}
                onPage={(to) => {
                  page.value = to;
                }}
              />
            </>
          )
        }
      </LoadedView>
      {now && (
        <ConfirmDialog
          title={says.cancelTitle}
          text={
            <p>
              <bdi>{now.description}</bdi>: {says.cancelText}
            </p>
          }
          action={says.cancelPayment}
          danger
          onClose={() => {
            canceled.value = null;
          }}
          onConfirm={async () => {
            await call('POST /v1/payments/{payment_id}/cancel', { params: { payment_id: now.id } });
            live.again();
          }}
        />
      )}
    </>
  );
};

/** A link to the file of an invoice, or only the invoice number if there is no file. */
const Invoice = ({ of: { invoice_number, confirmation_url } }: { of: Payment }): JSX.Element => {
  if (confirmation_url === null) return <>{invoice_number ?? '–'}</>;
  // If PUBLIC_URL is not set, the API returns only a path.
  const url = new URL(confirmation_url.replace(/^\//, ''), SERVICE_URL);
  if (!/^https?:$/.test(url.protocol)) return <>{invoice_number ?? '–'}</>;
  return (
    <a href={url.href} target="_blank" rel="noopener noreferrer">
      {invoice_number ?? words.value.plan.invoice}
    </a>
  );
};
