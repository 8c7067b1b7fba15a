import { School } from "./school.mjs"; import { Site } from "./visit.mjs"; import { launch } from "./open.mjs"; import { fill, pages, states } from "./checks/server/field.mjs";
import fs from "node:fs";
const shots="/tmp/trial/shots"; fs.mkdirSync(shots,{recursive:true});
const t0=performance.now();
const school=await School.open("/tmp/w/web/target/debug/pitmaster");
const browser=await launch();
const site=new Site(browser,school);
try {
const field=await fill(school); console.log("filled",performance.now()-t0, JSON.stringify(field.game));
for (const [look,ctx] of [["desk",{viewport:{width:1280,height:900}}],["phone",{viewport:{width:360,height:740},colorScheme:"dark",locale:"fr"}]]) {
for (const [n,person,url] of pages(field)) await site.with({person,mayFail:true,...ctx}, async (page)=>{ await page.goto(url); await page.waitForTimeout(150); await page.screenshot({path:`${shots}/${look}-${n}.png`,fullPage:n!=="docs"}); });
for (const [n,person,act] of states(field)) { try { await site.with({person,mayFail:true,...ctx}, async (page)=>{ page.setDefaultTimeout(5000); await act(page); await page.screenshot({path:`${shots}/${look}-${n}.png`,fullPage:true}); }); } catch(e) { console.log(n, e.message); } }
}
console.log(site.complaints); console.log(school.lines, performance.now()-t0);
} finally { await browser.close(); await school.close(); }
