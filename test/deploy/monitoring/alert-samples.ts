/** Series with which an alert of `deploy/prometheus/uptrail.rules.yml` fires, and series with which it does not. */
export interface AlertSample {
  alert: string;
  /** series by name and labels, in the notation of `promtool test rules`, with a value per minute */
  firing: Readonly<Record<string, string>>;
  /** the same for a service without this problem */
  quiet: Readonly<Record<string, string>>;
}

/** A value that stays the same for {@link MINUTES}. */
const always = (value: number): string => `${value}+0x${MINUTES}`;
/** A counter that rises by `step` each minute. */
const rising = (step: number): string => `0+${step}x${MINUTES}`;

/** Time at which the alerts are evaluated, in minutes after the first value. */
export const MINUTES = 60;

/** Creates the sample of an alert on one series, which fires with one value and not with another one. */
const values = (alert: string, series: string, firing: string, quiet: string): AlertSample => ({
  alert,
  firing: { [series]: firing },
  quiet: { [series]: quiet },
});

const requests = (status: string): string =>
  `http_request_duration_seconds_count{job="uptrail",status="${status}",route="/v1/checks"}`;
const CHECK = 'check="check0000001",name="Shop",type="web",group="Shops",organization="Acme",job="uptrail"';

export const ALERT_SAMPLES: readonly AlertSample[] = [
  values('UptrailDown', 'up{job="uptrail"}', always(0), always(1)),
  { alert: 'UptrailNotScraped', firing: { 'up{job="other"}': always(1) }, quiet: { 'up{job="uptrail"}': always(0) } },
  {
    alert: 'UptrailRequestsFail',
    firing: { [requests('200')]: rising(98), [requests('503')]: rising(2) },
    quiet: { [requests('200')]: rising(998), [requests('503')]: rising(2) },
  },
  {
    alert: 'UptrailRequestsSlow',
    firing: {
      'http_request_duration_seconds_bucket{job="uptrail",le="1"}': rising(98),
      'http_request_duration_seconds_bucket{job="uptrail",le="2.5"}': rising(100),
      'http_request_duration_seconds_bucket{job="uptrail",le="+Inf"}': rising(100),
    },
    quiet: {
      'http_request_duration_seconds_bucket{job="uptrail",le="0.1"}': rising(100),
      'http_request_duration_seconds_bucket{job="uptrail",le="+Inf"}': rising(100),
    },
  },
  values('UptrailLacksCpu', 'nodejs_eventloop_lag_p99_seconds{job="uptrail"}', always(0.2), always(0.01)),
  values('UptrailProjectionStopped', 'projection_stopped{job="uptrail",projection="a"}', always(1), always(0)),
  values('UptrailProjectionBehind', 'projection_lag_seconds{job="uptrail",projection="a"}', always(61), always(60)),
  values('UptrailDocumentsSetAside', 'projection_set_aside_documents{job="uptrail"}', always(1), always(0)),
  values('UptrailReactorsHalted', 'reactors_halted{job="uptrail"}', always(1), always(0)),
  {
    alert: 'UptrailReactorItemsFailed',
    firing: { 'reactor_items{job="uptrail",reactor="a",state="given_up"}': always(1) },
    quiet: { 'reactor_items{job="uptrail",reactor="a",state="retrying"}': always(1) },
  },
  values('UptrailReactorLate', 'reactor_oldest_item_seconds{job="uptrail"}', always(301), always(300)),
  {
    alert: 'UptrailDeliveriesGivenUp',
    firing: { 'delivery_attempts_total{job="uptrail",notifier="email",outcome="given_up"}': rising(1) },
    quiet: { 'delivery_attempts_total{job="uptrail",notifier="email",outcome="failed"}': rising(1) },
  },
  {
    alert: 'UptrailRelayUnavailable',
    firing: { 'delivery_attempts_total{job="uptrail",notifier="email",outcome="unavailable"}': rising(1) },
    quiet: { 'delivery_attempts_total{job="uptrail",notifier="email",outcome="failed"}': rising(1) },
  },
  values('UptrailDeliveriesHeldUp', 'delivery_targets_held_up{job="uptrail"}', always(1), always(0)),
  {
    alert: 'UptrailEmailDomainFailed',
    firing: { 'email_domains{job="uptrail",status="failed"}': always(1) },
    quiet: { 'email_domains{job="uptrail",status="pending"}': always(1) },
  },
  values('UptrailClockWrong', 'clock_skew_seconds{job="uptrail"}', always(-1.5), always(0.5)),
  values('UptrailNoRuns', 'check_runs_total{job="uptrail"}', '0+5x30 150+0x30', rising(5)),
  {
    alert: 'UptrailRunsLate',
    firing: {
      'check_run_lateness_seconds_bucket{job="uptrail",le="1"}': rising(90),
      'check_run_lateness_seconds_bucket{job="uptrail",le="5"}': rising(100),
      'check_run_lateness_seconds_bucket{job="uptrail",le="+Inf"}': rising(100),
    },
    quiet: {
      'check_run_lateness_seconds_bucket{job="uptrail",le="0.25"}': rising(100),
      'check_run_lateness_seconds_bucket{job="uptrail",le="+Inf"}': rising(100),
    },
  },
  {
    alert: 'UptrailRunsSkipped',
    firing: { 'check_runs_skipped_total{job="uptrail",reason="refused"}': rising(1) },
    quiet: { 'check_runs_skipped_total{job="uptrail",reason="unpaid"}': rising(1) },
  },
  {
    alert: 'UptrailRunnerTrouble',
    firing: { 'check_runs_dropped_total{job="uptrail",reason="trouble"}': rising(1) },
    quiet: { 'check_runs_dropped_total{job="uptrail",reason="unwanted"}': rising(1) },
  },
  values('UptrailQueueGrows', 'check_queue_runs{job="uptrail",state="waiting"}', rising(10), always(500)),
  values('UptrailRunsParked', 'check_queue_runs{job="uptrail",state="parked"}', always(1), always(0)),
  values('UptrailRunnerCutOff', 'check_results_suspect_total{job="uptrail"}', rising(1), always(5)),
  values('UptrailRegionCutOff', 'region_cut_off{job="uptrail",region="a"}', always(1), always(0)),
  values('UptrailChecksWithoutRunner', 'checks_without_runner{job="uptrail",region="a"}', always(3), always(0)),
  values('UptrailProbeProcessesMissing', 'probe_processes{job="uptrail"}', always(0), always(2)),
  values('UptrailProbeProcessesCrash', 'probe_process_restarts_total{job="uptrail"}', rising(1), always(9)),
  values('UptrailCheckDown', `uptrail_check_up{${CHECK}}`, always(0), always(1)),
  values('UptrailCheckCertificateExpires', `uptrail_check_certificate_days{${CHECK}}`, always(13), always(14)),
  values('UptrailCheckSlow', `uptrail_check_response_seconds{${CHECK}}`, always(6), always(5)),
  values('UptrailCheckSeriesDropped', 'uptrail_check_series_dropped{job="uptrail"}', always(1), always(0)),
];
