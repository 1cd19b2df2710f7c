// Shows that it is somebody's turn, where a page cannot do that by itself; keeps and fetches nothing.

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(self.clients.matchAll({ type: 'window', includeUncontrolled: true }).then((all) => all[0]?.focus()));
});
