import type { SubscriptionWords } from './subscription/words.ts';

/**
 * The texts of visitor pages in one language. Names of statuses are in `messages/words`. If a language lacks a key,
 * compilation fails. Functions receive unescaped texts and return text, never HTML.
 */
export interface PageWords {
  /** text of the first link on every page, for screen readers */
  skipToContent: string;
  history: string;
  subscribe: string;
  /** the pages on which visitors subscribe and change their subscription */
  subscription: SubscriptionWords;
  /** link to the page's root */
  backTo: (page: string) => string;
  /** titles of error pages */
  notFound: string;
  notFoundText: string;
  /** the front page of the service, at `/` */
  front: {
    intro: string;
    running: string;
    pages: string;
    noPages: string;
    morePages: string;
    pagesLate: string;
    elsewhere: string;
    console: string;
    consoleText: string;
    documentation: string;
    documentationText: string;
    openApi: string;
    openApiText: string;
    health: string;
    healthText: string;
  };
  banner: {
    /** shown before a time: `since 14:05` */
    since: string;
    /** shown before a time: `updated 14:21` */
    updated: string;
    /** shown before names of components: `Affected: Shop, API` */
    affected: string;
    more: (count: number) => string;
    /** shown if checks detect failures that no incident mentions yet */
    unconfirmed: string;
  };
  incidents: {
    active: string;
    underWay: string;
    upcoming: string;
    past: string;
    /** shown after "show": `2 earlier updates` */
    earlier: (count: number) => string;
    /** the number of incidents that are not shown here */
    others: (count: number) => string;
    details: string;
    follow: string;
    calendar: string;
    /** `No incidents on November 25` */
    noneOn: (day: string) => string;
    allHistory: string;
    updates: string;
    postmortem: string;
    affectedComponents: string;
    duration: string;
    started: string;
    resolved: string;
    planned: string;
    impact: string;
    /** shown before a time */
    edited: string;
    previousText: string;
    deletedUpdate: string;
    withheld: string;
    /** shown instead of an empty text */
    noText: string;
    olderUpdates: string;
  };
  components: {
    title: string;
    /** labels of the ranges of the bars */
    ranges: Readonly<Record<'24h' | '7d' | '30d' | '90d', string>>;
    months: string;
    /** shown below the left end of bars */
    daysAgo: (days: number) => string;
    hoursAgo: (hours: number) => string;
    today: string;
    now: string;
    /** shown after a percentage: `99.71 % uptime` */
    uptime: (percentage: string) => string;
    uptimeTitle: string;
    noData: string;
    noneYet: string;
    /** description of the bars for screen readers */
    badDays: (bad: number, days: number) => string;
    day: string;
    state: string;
    outage: string;
    partialOutage: string;
    incidents: string;
    nothing: string;
    responseTime: string;
    average: string;
    /** shown after a status that was set by people, not by checks: `Operational (declared)` */
    declared: string;
    measured: string;
    measuredNow: (region: string, failed: number, runs: number) => string;
    lastHour: string;
    /** @param moment `Nov 20, 2026, 15:00 UTC` */
    since: (moment: string) => string;
    website: string;
    support: string;
    /** title of the table of days */
    byDay: string;
    /** shown above the list of intervals, which is closed at first */
    howComputed: string;
    /** title of the table of intervals */
    intervals: string;
    olderIntervals: string;
    period: string;
    /** title of the column with what set the status */
    setBy: string;
    sources: Readonly<Record<'incident' | 'edit' | 'creation' | 'hold', string>>;
    /** shown after the status of excluded time */
    notCounted: string;
    group: string;
  };
  historyPage: {
    older: string;
    newer: string;
    search: string;
    component: string;
    impact: string;
    all: string;
    show: string;
    /** shown if no incident matches */
    none: string;
    /** for a month without incidents: `No incidents in November 2026` */
    noneInMonth: (month: string) => string;
    found: (count: number) => string;
    daysWithout: (days: number) => string;
    month: string;
  };
  /** a page that shows a past state */
  asOf: {
    title: string;
    /** before a time: `This page as of Nov 20, 2026, 15:04 UTC` */
    notice: string;
    current: string;
    earlier: string;
    later: string;
    /** label of the slider */
    choose: string;
  };
  choices: {
    title: string;
    zone: string;
    zones: { local: string; page: (zone: string) => string; utc: string };
    language: string;
    theme: string;
    themes: { auto: string; light: string; dark: string };
    apply: string;
    timesIn: (zone: string) => string;
  };
  connection: {
    /** shown before a relative time */
    lastUpdate: string;
    lost: string;
    changed: string;
  };
  feeds: {
    /** names of feeds, shown after the page name */
    history: string;
    updates: string;
    /** the calendar of maintenances */
    calendar: string;
    /** title of a cancelled maintenance in calendars */
    cancelled: string;
    /** shown instead of updates that were omitted because the feed would be too long */
    shortened: string;
  };
  /** shown before the name of the program that serves the page */
  poweredBy: string;
  /** the banner embedded in other sites */
  embed: { details: string; close: string };
  badges: {
    /**
     * label for the uptime of the last 90 days; begins with a lower-case letter, except where the language requires a
     * capital
     */
    uptime: (days: number) => string;
    /** label for the average response time of the last 24 hours */
    responseTime: string;
    /** shown if nothing was measured */
    noData: string;
  };
  /** forms that ask for a password or an account */
  access: {
    passwordTitle: string;
    passwordText: string;
    password: string;
    /** shown before the password hint */
    hint: string;
    open: string;
    wrongPassword: string;
    signInTitle: string;
    signInText: string;
    email: string;
    signIn: string;
    /** also shown for unknown e-mail addresses */
    wrongAccount: string;
    codeTitle: string;
    codeText: string;
    code: string;
    wrongCode: string;
    tooMany: (seconds: number) => string;
    signOut: string;
  };
}
