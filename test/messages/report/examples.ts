import { budgetOf, type CheckContent, type ReportContent } from '../../../domain/report/content.ts';
import type { ReportType } from '../../../domain/report/events.ts';
import { plusDays } from '../../../domain/uptime/days.ts';

const NAMES = [
  'Интернет-магазин: главная страница',
  'API of the shop',
  'Очень длинное название проверки, которое никак не может поместиться в одной строке таблицы отчёта',
  '=HYPERLINK("http://example.com")',
];

const TARGET = 99.9;

/** Returns the content of a report on some days and checks, with every optional part. */
export const contentOf = (
  report_type: ReportType,
  { dayCount = 31, checkCount = 40 }: { dayCount?: number; checkCount?: number } = {},
): ReportContent => {
  const days = Array.from({ length: dayCount }, (_, index) => plusDays('2026-05-01', index));
  const by_day = {
    // The first day has no data.
    uptime: days.map((_, index) => (index === 0 ? null : index % 7 === 0 ? 98.61 : 100)),
    total: days.map(() => 1_440),
    average: days.map((_, index) => (index === 0 ? null : 100 + ((index * 37) % 80))),
    p95: days.map((_, index) => (index === 0 ? null : 250 + ((index * 53) % 300))),
  };
  const checks = Array.from({ length: checkCount }, (_, index): CheckContent => {
    const uptime_percentage = index === 4 ? null : 99.5 + (index % 6) / 10;
    return {
      id: `check${index.toString().padStart(7, '0')}`,
      name: NAMES[index % NAMES.length] ?? '',
      type: 'web',
      uptime_percentage,
      total_checks: 44_640,
      successful_checks: 44_600,
      failed_checks: 40,
      average_response_time: 123,
      p50: 110,
      p95: 320,
      p99: 900,
      outages: 3,
      downtime: 4_000,
      budget: budgetOf(uptime_percentage, TARGET, dayCount * 86_400),
      by_day,
    };
  });
  const outages = Array.from({ length: 70 }, (_, index) => ({
    check_id: checks[index % checkCount]?.id ?? '',
    check_name: checks[index % checkCount]?.name ?? '',
    started_at: `${days[(index * 7) % dayCount] ?? ''}T10:00:00.000000`,
    ended_at: index === 0 ? null : `${days[(index * 7) % dayCount] ?? ''}T11:05:00.000000`,
    duration: 3_900,
    cause: index % 3 === 0 ? null : 'Истекло время ожидания ответа, который должен был прийти за десять секунд.',
  }));
  const incidents = Array.from({ length: 12 }, (_, index) => ({
    id: `incident${index.toString().padStart(4, '0')}`,
    name: `Сбой оплаты № ${index}`,
    kind: index % 3 === 0 ? ('maintenance' as const) : ('regular' as const),
    page: 'Статус магазина',
    impact: index % 3 === 0 ? 'maintenance' : 'major',
    status: 'resolved',
    started_at: '2026-05-03T10:00:00.000000',
    resolved_at: '2026-05-03T13:00:00.000000',
    duration: 10_800,
    components: ['API', 'Оплата'],
    updates: [
      { created_at: '2026-05-03T10:00:00.000000', status: 'investigating', body: 'Мы **разбираемся** с причиной.' },
      { created_at: '2026-05-03T13:00:00.000000', status: 'resolved', body: 'Всё снова работает. '.repeat(40) },
    ],
  }));
  return {
    id: 'report000001',
    name: 'Отчёт за май',
    report_type,
    period_start: '2026-05-01T00:00:00.000000',
    period_end: `${days.at(-1) ?? ''}T23:59:59.999999`,
    time_zone: 'UTC',
    tag: null,
    target_percentage: TARGET,
    organization: 'ООО «Ромашка»',
    page: 'Статус магазина',
    generated_at: '2026-11-20T10:00:00.000000',
    summary: {
      checks: checkCount,
      components: 1,
      incidents: report_type === 'incidents' ? incidents.length : 0,
      outages: 70,
      downtime: 273_000,
      uptime_percentage: 99.75,
      average_response_time: 123,
      p50: 110,
      p95: 320,
      p99: 900,
      target_percentage: TARGET,
      below_target: 30,
    },
    days,
    by_day,
    checks,
    components:
      report_type === 'uptime'
        ? [
            {
              id: 'component001',
              name: 'Оплата',
              group: 'Магазин',
              uptime_percentage: 99.87,
              major_outage: 300,
              partial_outage: 7_200,
              budget: budgetOf(99.87, TARGET, dayCount * 86_400),
              by_day: { uptime: by_day.uptime },
            },
          ]
        : [],
    outages: report_type === 'response_time' ? [] : outages,
    incidents: report_type === 'incidents' ? incidents : [],
  };
};
