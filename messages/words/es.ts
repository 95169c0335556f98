import { plurals } from './plurals.ts';
import type { Words } from './words.ts';

const components = plurals('es', { one: 'componente más', other: 'componentes más' });

export const es: Words = {
  language: 'es',
  colon: ': ',
  incidentStatus: {
    investigating: 'En investigación',
    identified: 'Causa identificada',
    monitoring: 'En observación',
    resolved: 'Resuelta',
    scheduled: 'Programado',
    in_progress: 'En curso',
    verifying: 'En verificación',
    completed: 'Completado',
  },
  componentStatus: {
    operational: 'Operativo',
    under_maintenance: 'En mantenimiento',
    degraded_performance: 'Rendimiento degradado',
    partial_outage: 'Interrupción parcial',
    major_outage: 'Interrupción grave',
  },
  impact: { none: 'Ninguno', maintenance: 'Mantenimiento', minor: 'Leve', major: 'Grave', critical: 'Crítico' },
  pageStatus: {
    none: 'Todos los sistemas operativos',
    maintenance: 'Mantenimiento en curso',
    minor: 'Rendimiento degradado de algunos sistemas',
    major: 'Interrupción parcial de los sistemas',
    critical: 'Interrupción grave de los sistemas',
  },
  happened: {
    'incident.created': 'Nueva incidencia',
    'incident.updated': 'Novedades sobre la incidencia',
    'incident.resolved': 'Incidencia resuelta',
    'maintenance.scheduled': 'Mantenimiento programado',
    'maintenance.updated': 'Novedades sobre el mantenimiento',
    'maintenance.reminder': 'Recordatorio de mantenimiento',
    'maintenance.started': 'Inicio del mantenimiento',
    'maintenance.completed': 'Mantenimiento completado',
    'postmortem.published': 'Informe de la incidencia',
    'component.status_changed': 'Estado de un componente',
  },
  sentence: {
    'incident.created': 'Se ha notificado una nueva incidencia.',
    'incident.updated': 'Hay novedades sobre esta incidencia.',
    'incident.resolved': 'Esta incidencia se ha resuelto.',
    'maintenance.scheduled': 'Se ha programado un mantenimiento.',
    'maintenance.updated': 'Hay novedades sobre este mantenimiento.',
    'maintenance.reminder': 'Le recordamos que el mantenimiento programado comenzará pronto.',
    'maintenance.started': 'El mantenimiento programado ha comenzado.',
    'maintenance.completed': 'El mantenimiento programado se ha completado.',
    'postmortem.published': 'Se ha publicado un informe sobre esta incidencia.',
    'component.status_changed': 'El estado de un componente ha cambiado.',
  },
  times: {
    moment: (day, clock, zone) => `${day}, ${clock} ${zone}`,
    span: (day, from, until, zone) => `${day}, de ${from} a ${until} ${zone}`,
  },
  mail: {
    status: 'Estado',
    impact: 'Impacto',
    scheduled: 'Programado para',
    components: 'Componentes afectados',
    more: (count) => `y ${components(count)}`,
    viewPage: 'Ver la página de estado',
    support: 'Contactar con soporte',
    cut: 'Este texto se ha acortado.',
    readOn: 'Este texto se ha acortado. Puede leerlo completo en la página de estado:',
    why: (page) => `Recibe este correo porque se suscribió a las novedades de ${page}.`,
    unsubscribe: 'Darse de baja',
  },
  sms: {
    unsubscribe: 'Darse de baja:',
    confirm: (page) => `Confirme su suscripción a las novedades de ${page}:`,
  },
  confirmation: {
    subject: (page) => `Confirme su suscripción a ${page}`,
    title: 'Confirme su suscripción',
    sentence: (page) =>
      `Se ha indicado esta dirección para recibir las novedades de ${page}. Confirme que desea recibirlas.`,
    button: 'Confirmar suscripción',
    orOpen: 'O abra este enlace en su navegador:',
    until: (moment) => `El enlace es válido hasta el ${moment}.`,
    notYou: 'Si usted no lo ha solicitado, ignore este mensaje: sin su confirmación no se enviará nada.',
  },
};
