import { chromium } from 'playwright';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
const types={html:'text/html',js:'text/javascript',css:'text/css',woff2:'font/woff2'};
const srv=createServer(async(q,r)=>{try{const p=new URL(q.url,'http://x').pathname.replace(/\/$/,'/index.html');const b=await readFile('dist/playground'+p);r.writeHead(200,{'content-type':types[p.split('.').pop()]??'application/octet-stream'}).end(b)}catch{r.writeHead(404).end()}}).listen(0);
const url=`http://127.0.0.1:${srv.address().port}/`;
const b=await chromium.launch({executablePath:'/usr/bin/chromium',args:['--no-sandbox','--disable-gpu']});
for (const [w,h] of [[1280,900],[360,800]]) {
const p=await b.newPage({viewport:{width:w,height:h}});
p.on('console',m=>console.log('C',m.type(),m.text().slice(0,300)));p.on('pageerror',e=>console.log('E',String(e.stack).slice(0,600)));
await p.goto(url+(process.argv[2]??''));
await p.waitForTimeout(2500);
await p.screenshot({path:`/tmp/pg/${w}.png`,fullPage:true});
console.log(await p.evaluate(()=>[document.documentElement.scrollWidth, document.title, location.hash]));
}
await b.close();srv.close();
