import type { SubscriptionWords } from './subscription/words.ts';

/**
 * What the pages for visitors say by themselves, in one language; names of statuses are in `messages/words`. A key that a
 * language lacks does not compile. Functions get texts as people wrote them and return text, never HTML.
 */
export interface PageWords {
  /** for screen readers, first on each page */
  skipToContent: string;
  history: string;
  subscribe: string;
  /** the pages on which visitors subscribe, and change that */
  subscription: SubscriptionWords;
  /** back to the page's root */
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
    /** before a time: `since 14:05` */
    since: string;
    /** before a time: `updated 14:21` */
    updated: string;
    /** before names of components: `Affected: Shop, API` */
    affected: string;
    more: (count: number) => string;
    /** failures that checks see and that no incident names yet */
    unconfirmed: string;
  };
  incidents: {
    active: string;
    underWay: string;
    upcoming: string;
    past: string;
    /** behind "show": `2 earlier updates` */
    earlier: (count: number) => string;
    /** incidents that are not shown here */
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
    /** before a time */
    edited: string;
    previousText: string;
    deletedUpdate: string;
    withheld: string;
    /** in place of an empty text */
    noText: string;
    olderUpdates: string;
  };
  components: {
    title: string;
    /** labels of the ranges that bars can show */
    ranges: Readonly<Record<'24h' | '7d' | '30d' | '90d', string>>;
    months: string;
    /** below the left end of bars */
    daysAgo: (days: number) => string;
    hoursAgo: (hours: number) => string;
    today: string;
    now: string;
    /** behind a percentage: `99.71 % uptime` */
    uptime: (percentage: string) => string;
    uptimeTitle: string;
    noData: string;
    noneYet: string;
    /** summary of bars for screen readers */
    badDays: (bad: number, days: number) => string;
    day: string;
    state: string;
    outage: string;
    partialOutage: string;
    incidents: string;
    nothing: string;
    responseTime: string;
    average: string;
    /** behind a status that people have set: `Operational (declared)` */
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
    /** no incident matches */
    none: string;
    /** of a month in which nothing happened: `No incidents in November 2026` */
    noneInMonth: (month: string) => string;
    found: (count: number) => string;
    daysWithout: (days: number) => string;
    month: string;
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
    /** before a relative time */
    lastUpdate: string;
    lost: string;
    changed: string;
  };
  feeds: {
    /** names of feeds, behind that of the page */
    history: string;
    updates: string;
    /** the calendar of maintenances */
    calendar: string;
    /** title of a maintenance in calendars that was called off */
    cancelled: string;
    /** stands in place of updates for which there is no room */
    shortened: string;
  };
  /** says which program shows the page, with its name behind */
  poweredBy: string;
  /** a banner in pages of others */
  embed: { details: string; close: string };
  badges: {
    /** of the last 90 days; in small letters, where the language has a choice */
    uptime: (days: number) => string;
    /** the average of the last 24 hours */
    responseTime: string;
    /** nothing was measured */
    noData: string;
  };
  /** forms that ask for a password or an account */
  access: {
    passwordTitle: string;
    passwordText: string;
    password: string;
    /** before what helps to remember it */
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
