import { Type } from '@sinclair/typebox';
import { cancelPayment, orderPayment } from '../../../commands/payments/payments.ts';
import { NotFound } from '../../../domain/errors.ts';
import { INVOICE_LINK } from '../../../domain/payment/invoice-link.ts';
import { contentDisposition } from '../../../http/media/disposition.ts';
import { PDF } from '../../../http/media/media-types.ts';
import {
  findPayment,
  readInvoice,
  listPayments,
  requireFewOrders,
  listSubscriptions,
} from '../../../queries/payments.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import { pagesOfStyleB } from '../../pagination.ts';
import { created, ok, route, type Route } from '../../route.ts';
import { Id } from '../../schema.ts';
import { presentSubscription, Subscription } from '../organizations/plan-schema.ts';
import { NewPayment, Payment, presentPayment } from './schema.ts';

const tag = 'Payments';
const list = pagesOfStyleB({ key: 'payments', size: 20, newestBy: 'created_at' });
const path = '/v1/payments';
const byId = `${path}/{payment_id}`;
const PaymentParams = Type.Object({ payment_id: Id });

const findNamed = ({ params, scope }: { params: { payment_id: string }; scope: Scope }) =>
  findPayment(scope, params.payment_id);

export const paymentRoutes: Route[] = [
  route({
    methods: ['get'],
    path,
    summary: 'List payments',
    description: 'The list is sorted newest first.',
    tag,
    access: { needs: 'billing.read' },
    confidential: true,
    query: Type.Object(list.query),
    responses: { 200: list.answer(Payment) },
    heavy: true,
    handle: (call) =>
      ok(() =>
        list.body(
          call.query,
          (paging) => listPayments(call.scope, {}, paging),
          (payment) => presentPayment(payment, call),
        ),
      ),
  }),
  route({
    methods: ['post'],
    path,
    summary: 'Order a plan',
    description: 'The plan takes effect once it is paid.',
    tag,
    access: { needs: 'billing.write' },
    confidential: true,
    idempotencyKey: 'required',
    body: NewPayment,
    responses: { 201: Payment },
    handle: async (call) => {
      const { body, context, commands, scope } = call;
      await requireFewOrders(scope);
      const { plan_id, period_months = null } = body;
      const id = await commands.bind(orderPayment)({ plan_id, period_months }, context);
      return created(`${path}/${id}`, id, async () => presentPayment(await findPayment(scope, id), call));
    },
  }),
  route({
    methods: ['get'],
    path: byId,
    summary: 'Get a payment',
    tag,
    access: { needs: 'billing.read' },
    confidential: true,
    params: PaymentParams,
    responses: { 200: Payment },
    handle: (call) => ok(async () => presentPayment(await findNamed(call), call)),
  }),
  route({
    methods: ['post'],
    path: `${byId}/cancel`,
    summary: 'Cancel a payment',
    description: 'The payment must be pending. Its invoice becomes void.',
    tag,
    access: { needs: 'billing.write' },
    confidential: true,
    params: PaymentParams,
    responses: { 200: Payment },
    find: findNamed,
    handle: async (call) => {
      const { params, context, commands } = call;
      await commands.bind(cancelPayment)(params.payment_id, context);
      return ok(async () => presentPayment(await findNamed(call), call));
    },
  }),
  route({
    methods: ['get'],
    path: `${byId}/invoice`,
    summary: 'Get the invoice of a payment',
    description: 'The signed link is in the response for the payment.',
    tag,
    access: { public: { link: INVOICE_LINK } },
    params: PaymentParams,
    produces: [PDF],
    responses: { 200: Type.String({ description: 'A PDF.' }) },
    find: async ({ params, subject, scope }) => {
      if (subject !== params.payment_id) throw new NotFound('Not found.');
      const content = await readInvoice(await findPayment(scope, subject), scope.keys);
      if (!content) throw new NotFound('Not found.');
      return content;
    },
    handle: ({ found, invoiceFile }) => ({
      status: 200,
      headers: {
        'Content-Disposition': contentDisposition('inline', `Invoice ${found.number}.pdf`),
        'Cache-Control': 'private, no-store',
      },
      body: () => invoiceFile(found),
    }),
  }),
  route({
    methods: ['get'],
    path: '/v1/organizations/{org_id}/subscriptions',
    summary: 'List the subscriptions of an organization',
    description:
      'The list contains subscriptions to plans: first paid ones that have not begun, then the others, newest first.',
    tag: 'Organizations',
    access: { needs: 'billing.read' },
    params: Type.Object({ org_id: Id }),
    responses: { 200: Type.Array(Subscription) },
    handle: ({ params, scope }) =>
      ok(async () => (await listSubscriptions(scope, params.org_id)).map(presentSubscription)),
  }),
];
