/* oxlint-disable no-var -- of ES5 */
// The script is ES5, because older browsers run it too. It is inline, so that no failed request can prevent it from running.
(function () {
  var own = document.currentScript || document.getElementById('first-script');
  var root = document.documentElement;
  var maxDelayMs = 30000;
  var status = null;

  function show(text) {
    if (!status) {
      status = document.createElement('div');
      status.className = 'page-status';
      status.setAttribute('role', 'status');
      document.body.insertBefore(status, document.body.firstChild);
    }
    setTimeout(function () {
      status.textContent = text; // delayed, because a live region only announces changes
    }, 100);
  }

  function runWhenParsed(run) {
    if (document.readyState !== 'loading') run();
    else document.addEventListener('readystatechange', once); // unlike DOMContentLoaded, `readystatechange` does not wait for the modules
    function once() {
      document.removeEventListener('readystatechange', once);
      run();
    }
  }

  // Features that the oldest supported browser versions have and slightly older ones lack.
  if (!Array.prototype.findLast || !Object.hasOwn || !window.structuredClone) {
    root.className += ' old-browser';
    runWhenParsed(function () {
      show(own.getAttribute('data-old'));
    });
    return;
  }

  /** Returns the URLs of the page's initial scripts. */
  function listScripts() {
    var found = [];
    document.querySelectorAll('script[type=module][src], link[rel=modulepreload]').forEach(function (element) {
      found.push(element.src || element.href);
    });
    var page = document.getElementById('prerendered');
    var named = (page && page.getAttribute('data-modules')) || '';
    return found.concat(named.split(' ')).filter(function (url, at, all) {
      return url !== '' && all.indexOf(url) === at;
    });
  }

  // A browser does not retry a failed module until the page is reloaded, which happens once all scripts are in its cache.
  function loadScripts(attempts) {
    Promise.all(
      listScripts().map(function (url) {
        return fetch(url).then(function (answer) {
          if (!answer.ok) throw answer;
          return answer.arrayBuffer();
        });
      }),
    ).then(
      function () {
        location.reload();
      },
      function () {
        scheduleLoad(attempts + 1);
      },
    );
  }

  function scheduleLoad(attempts) {
    setTimeout(
      function () {
        loadScripts(attempts);
      },
      Math.min(maxDelayMs, 1000 * Math.pow(2, attempts)) * (0.75 + Math.random() / 2),
    );
  }

  var waits = false;
  function startWaiting() {
    var page = document.getElementById('prerendered');
    var drawn = document.getElementById('root');
    if (waits || (page && page.hasAttribute('data-whole'))) return; // the page is complete without a script
    if (drawn && drawn.firstChild) return; // after rendering, the portal loads further scripts itself
    waits = true;
    root.className += ' scripts-missing';
    document.querySelectorAll('#prerendered form').forEach(function (form) {
      form.inert = true;
    });
    show(own.getAttribute('data-busy'));
    scheduleLoad(0);
  }

  addEventListener(
    'error',
    function (event) {
      var from = event.target;
      if (from && from.tagName === 'SCRIPT' && from.type === 'module') runWhenParsed(startWaiting);
    },
    true,
  );
  addEventListener('scripts-missing', startWaiting); // the first module dispatches it if one of its imports is missing
})();
